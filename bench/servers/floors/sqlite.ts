import { openFloor, prepareInsert } from '../../data/floor-database.ts';
import { serveListener } from '../serve-listener.ts';
import { collectTurn } from './collect-turn.ts';
import { createFloorListener, type FloorRow } from './floor-listener.ts';

const [filename = '', transactions = 'shared'] = process.argv.slice(2);

const database = openFloor(filename);
const read = database.prepare('select resource from resources where type = ? and id = ?').pluck();
const search = database
  .prepare('select resource from resources where patient = ? and type = ? order by position limit ?')
  .pluck();
const insert = prepareInsert(database);
const insertRow = ({ type, id, patient, resource }: FloorRow) => insert.run(type, id, patient, resource);

type PendingCreate = { readonly row: FloorRow; readonly done: () => void };

const runAll = database.transaction((works: readonly (() => void)[]) => {
  for (const work of works) work();
});
const insertAll = database.transaction((creates: readonly PendingCreate[]) => {
  for (const { row } of creates) insertRow(row);
});

/** A transaction for each request. */
const runEach = (work: () => void) => work();
const insertEach = ({ row, done }: PendingCreate): void => {
  insertRow(row);
  done();
};

const isShared = transactions === 'shared';
const onRead = isShared ? collectTurn(runAll) : runEach;
const onCreate = isShared
  ? collectTurn((creates: readonly PendingCreate[]) => {
      insertAll(creates);
      for (const { done } of creates) done();
    })
  : insertEach;

/** The floor of a store on SQLite: one prepared statement for each request, which returns the stored text. */
serveListener(
  createFloorListener({
    read: (type, id, done) => onRead(() => done(read.get(type, id) as string)),
    search: ({ type, patient, count }, done) =>
      onRead(() => done(search.all(patient, type, count) as string[])),
    create: (row, done) => onCreate({ row, done }),
  }),
);
