import { type ClinicalStore, exactVersion, noVersion } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SqliteDatabase } from '../../src/database.ts';
import { inTransaction, openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';
import { change, findActive, ref, resultOf, tryWrite, write } from '../store-helpers.ts';

/** How COMMIT ends: as SQLite ends it, or with an error before it was written, after it was undone, or after it was written. */
type Ending = 'as it is' | 'before' | 'undone' | 'written';

let filename: string;
let database: Database.Database;
/** The work of another process once a failed COMMIT was undone. */
let meanwhile: () => void;
let endings: Ending[];
let handle: SqliteDatabase;
let store: ClinicalStore;

const error = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });

beforeEach(() => {
  filename = newFile();
  database = new Database(filename);
  database.pragma('journal_mode = WAL');
  meanwhile = () => {};
  endings = [];
  handle = {
    get inTransaction() {
      return database.inTransaction;
    },
    transaction: database.transaction.bind(database),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      if (sql !== 'COMMIT') return statement;
      return {
        safeIntegers: (isBigInt) => statement.safeIntegers(isBigInt),
        get: (...parameters) => statement.get(...parameters),
        all: (...parameters) => statement.all(...parameters),
        iterate: (...parameters) => statement.iterate(...parameters),
        run: () => {
          const ending = endings.shift() ?? 'as it is';
          if (ending === 'undone') {
            database.exec('ROLLBACK');
            meanwhile();
          }
          if (ending === 'written') database.exec('COMMIT');
          if (ending !== 'as it is') throw error;
          return statement.run();
        },
      };
    },
  };
  store = openSqliteStore({ database: handle });
});

afterEach(() => {
  database.close();
});

const bothWrite = () =>
  Promise.all(['b', 'c'].map((id) => tryWrite(store, change({ id, expects: noVersion }))));

test('if COMMIT fails and the transaction is still open, nothing is written, and the store says so', async () => {
  endings = ['before'];
  const unavailable = { left: { _tag: 'Unavailable', cause: error } };
  expect(await bothWrite()).toMatchObject([unavailable, unavailable]);
  expect(database.inTransaction).toBe(false);
  expect(await findActive(store)).toEqual([]);
});

test('if SQLite has undone a failed COMMIT, the store checks that, and reports that nothing is written', async () => {
  const before = database.prepare('PRAGMA wal_checkpoint').get();
  endings = ['undone'];
  const unavailable = { left: { _tag: 'Unavailable', cause: error } };
  expect(await bothWrite()).toMatchObject([unavailable, unavailable]);
  expect(await findActive(store)).toEqual([]);
  // The remains of the failed COMMIT in the log are overwritten.
  expect(database.prepare('PRAGMA wal_checkpoint').get()).not.toEqual(before);
});

test('if COMMIT fails although everything was written, the store finds it, and reports success', async () => {
  endings = ['written'];
  expect(await bothWrite()).toMatchObject([{ right: [1] }, { right: [1] }]);
  expect(await findActive(store)).toEqual(['b', 'c']);
});

test.each([{ at: 2 }, { by: 'Practitioner/bob' }, { state: '{"v":2}' }])(
  'if another process has written the version instead, which differs by %j, the store reports that nothing is written',
  async (differs) => {
    const other = openSqliteStore({ filename });
    endings = ['undone'];
    // Statements of a host are written with the call.
    meanwhile = () => void other.commitAll([{ changes: [change(differs)], versionChecks: [] }], []);
    expect(await tryWrite(store, change())).toMatchObject({ left: { _tag: 'Unavailable', cause: error } });
    expect(await resultOf(store.read(ref))).toMatchObject({ version: 1, ...differs });
    await other.close();
  },
);

test('index entries can be the same before and after, so the outcome of a reindexing is unknown', async () => {
  endings = ['undone'];
  const reindexing = { records: [], parameters: { 'Goal.code': 'x' } };
  const outcome = await store.commit({ changes: [], versionChecks: [], reindexing });
  expect(outcome).toMatchObject({ left: { _tag: 'OutcomeUnknown', cause: error } });
  expect(await resultOf(store.indexedParameters())).toEqual({});
});

test('if the store cannot find out, the outcome of all commits of the transaction is unknown', async () => {
  await write(store, change());
  endings = ['undone', 'undone'];
  const outcomes = await Promise.all([
    tryWrite(store, change({ id: 'b' })),
    tryWrite(store, change({ expects: exactVersion(7) }), change({ id: 'c' })),
    tryWrite(store, change({ id: 'd' })),
  ]);
  const unknown = {
    left: { _tag: 'OutcomeUnknown', cause: error, message: expect.stringContaining('SQLITE_IOERR_FSYNC') },
  };
  expect(outcomes).toMatchObject([unknown, { left: { _tag: 'Conflict', actual: 1 } }, unknown]);
});

test('after an unknown outcome nothing is written before the log is known to be sound, and reads work', async () => {
  await write(store, change());
  endings = ['undone', 'undone', 'undone', 'undone'];
  expect(await tryWrite(store, change({ id: 'b' }))).toMatchObject({ left: { _tag: 'OutcomeUnknown' } });
  for (const id of ['c', 'd']) {
    expect(await tryWrite(store, change({ id }))).toMatchObject({
      left: { _tag: 'Unavailable', message: expect.stringContaining('SQLITE_IOERR_FSYNC') },
    });
  }
  expect(await findActive(store)).toEqual(['a']);
  await write(store, change({ id: 'e' }));
  expect(await findActive(store)).toEqual(['a', 'e']);
});

const writeTogether = (...changes: readonly ReturnType<typeof change>[]) => {
  const commits = changes.map((one) => ({ changes: [one], versionChecks: [] }));
  return store.commitAll(commits, [() => database.exec('CREATE TABLE IF NOT EXISTS visits (name TEXT)')]);
};

test.each([
  [['before'], { left: { _tag: 'Unavailable', cause: error } }, []],
  [['undone'], { left: { _tag: 'Unavailable', cause: error } }, []],
  [['written'], { right: [[1], [2]] }, ['a']],
  [['undone', 'undone'], { left: { _tag: 'OutcomeUnknown', cause: error } }, []],
] as const)(
  'the outcome of several commits with statements of the host is found out in the same way: %j',
  async (ends, outcome, found) => {
    endings = [...ends];
    const changes = [change({ expects: noVersion }), change({ expects: exactVersion(1) })];
    expect(await writeTogether(...changes)).toMatchObject(outcome);
    expect(await findActive(store)).toEqual(found);
  },
);

test('without a commit, nothing shows whether the statements of the host were written', async () => {
  endings = ['undone'];
  expect(await writeTogether()).toMatchObject({ left: { _tag: 'OutcomeUnknown' } });
  await write(store, change({ id: 'b' }));
  endings = ['undone', 'undone', 'undone'];
  expect(await writeTogether(change())).toMatchObject({ left: { _tag: 'OutcomeUnknown' } });
  expect(await writeTogether(change())).toMatchObject({ left: { _tag: 'Unavailable' } });
});

test('a transaction of the host whose COMMIT fails is rolled back if it is still open, and rejects with a StoreFailure', async () => {
  endings = ['before'];
  const failed = inTransaction(handle, (tx) => write(tx.join(store), change()));
  await expect(failed).rejects.toMatchObject({
    tag: 'StoreFailure',
    issues: [{ rule: 'store-unavailable' }],
    cause: { cause: error },
  });
  expect(await resultOf(store.read(ref))).toBeNull();
});

test.each([
  ['undone', null],
  ['written', { version: 1 }],
] as const)(
  'the outcome of a transaction of the host that a failed COMMIT has ended is unknown, and what is read then stays: %s',
  async (ending, found) => {
    const before = database.prepare('PRAGMA wal_checkpoint').get();
    endings = [ending];
    const failed = inTransaction(handle, (tx) => write(tx.join(store), change()));
    await expect(failed).rejects.toMatchObject({
      tag: 'StoreFailure',
      issues: [{ rule: 'outcome-unknown' }],
      cause: { cause: error },
    });
    expect(await resultOf(store.read(ref))).toEqual(found && expect.objectContaining(found));
    expect(database.prepare('PRAGMA wal_checkpoint').get()).not.toEqual(before);
  },
);

test('a transaction of the host with an unknown outcome says so', async () => {
  endings = ['undone', 'undone'];
  const failed = inTransaction(handle, (tx) => write(tx.join(store), change()));
  await expect(failed).rejects.toMatchObject({
    tag: 'StoreFailure',
    issues: [{ rule: 'outcome-unknown' }],
  });
  await inTransaction(handle, (tx) => write(tx.join(store), change()));
  expect(await findActive(store)).toEqual(['a']);
});
