import { readFileSync } from 'node:fs';
import { erasedState, exactVersion } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../src/index.ts';
import { newFile } from './files.ts';
import { change, findActive, write } from './store-helpers.ts';

const secret = change({
  state: `{"secret":"${'s'.repeat(10_000)}"}`,
  resource: '{"secret":1}',
  index: [{ kind: 'token', parameter: 'description', system: '', code: 'secret' }],
});

const erasure = change({
  ...{ state: '{"isErased":true}', resource: null, index: [] },
  ...{ expects: exactVersion(2), priorStates: [1, 2].map(() => erasedState('0'.repeat(64))) },
});

/** The names of the tables and files that have a text. */
const placesOf = (text: string, filename: string): readonly string[] => {
  const database = new Database(filename, { readonly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  const inTables = (tables as readonly string[]).filter((name) =>
    JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all()).includes(text),
  );
  database.close();
  const inFiles = [filename, `${filename}-wal`].filter((name) => readFileSync(name).includes(text));
  return [...inTables, ...inFiles.map((name) => name.slice(filename.length) || 'file')];
};

test('no table has an erased text, and after VACUUM and a checkpoint, no file has it', async () => {
  const filename = newFile();
  const store = openSqliteStore({ filename });
  await write(store, secret);
  await write(store, secret);
  expect(placesOf('secret', filename)).toEqual(['records', 'superseded', 'terms', '-wal']);
  await write(store, erasure);
  expect(placesOf('secret', filename)).toEqual(['-wal']);
  const database = new Database(filename);
  database.exec('VACUUM');
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  expect(placesOf('secret', filename)).toEqual([]);
  await store.close();
});

const done = change({
  id: 'done',
  index: [{ kind: 'token', parameter: 'status', system: '', code: 'done' }],
});

const openTwice = (options: { readonly filename: string } | { readonly database: Database.Database }) =>
  [openSqliteStore(options), openSqliteStore(options)] as const;

test.each([
  ['another process', () => openTwice({ filename: newFile() })],
  ['another store on the handle', () => openTwice({ database: new Database(':memory:') })],
])('%s writes index entries again that an erasure has deleted, and all find them', async (_, open) => {
  const [one, other] = open();
  await write(one, change());
  await write(other, change());
  await write(one, erasure);
  await write(one, done);
  await write(other, change({ id: 'b' }));
  expect([await findActive(one), await findActive(other)]).toEqual([['b'], ['b']]);
  await one.close();
  await other.close();
});
