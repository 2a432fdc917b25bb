import { openTuned } from '../../data/floor-database.ts';
import { collectTurn } from '../floors/collect-turn.ts';
import { createDutifulListener } from '../floors/floor-listener.ts';
import { serveListener } from '../serve-listener.ts';
import { duties, type VersionRow } from './duties.ts';

const [filename = ''] = process.argv.slice(2);

const database = openTuned(filename);
const columns = 'select id, version, at, resource from records';
const read = database.prepare(`${columns} where type = ? and id = ? and readable = 1`);
const search = database.prepare(
  `${columns} where patient_id = ? and type = ? and readable = 1 order by position limit ?`,
);

const onRead = collectTurn(
  database.transaction((works: readonly (() => void)[]) => {
    for (const work of works) work();
  }),
);

/** The floor of reads on our file: the same statements by hand, and the duties of each response. */
serveListener(
  createDutifulListener<VersionRow>(
    {
      read: (type, id, done) => onRead(() => done(read.get(type, id) as VersionRow)),
      search: ({ type, patient, count }, done) =>
        onRead(() => done(search.all(patient, type, count) as VersionRow[])),
    },
    duties,
  ),
);
