import { AsyncLocalStorage } from 'node:async_hooks';
import { createClinicalRecords } from '@clinical-records/core';
import { type ClinicalStore, exactVersion, noVersion } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';
import { change, findActive, ref, resultOf, write } from '../store-helpers.ts';

let database: Database.Database;
let store: ClinicalStore<Database.Database>;

beforeEach(() => {
  database = new Database(newFile());
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE visits (name TEXT UNIQUE)');
  store = openSqliteStore({ database, prefix: 'chart_' });
});

afterEach(async () => {
  await store.close();
  database.close();
});

const inAnotherRequest = AsyncLocalStorage.snapshot();
const addVisit = () => database.exec("INSERT INTO visits VALUES ('one')");
const visits = () => database.prepare('SELECT count(*) FROM visits').pluck().get();
const betterNot = new Error('the host thinks better of it');
const commits = [
  { changes: [change({ expects: noVersion })], versionChecks: [] },
  { changes: [change({ expects: exactVersion(1) })], versionChecks: [] },
];

test('statements of the host are written with the commits, on the handle of the store', async () => {
  const handles: unknown[] = [];
  const written = store.commitAll(commits, [
    (connection) => handles.push(connection),
    (connection) => connection.exec("INSERT INTO visits VALUES ('one')"),
  ]);
  expect(await resultOf(written)).toEqual([[1], [2]]);
  expect([handles[0] === database, visits(), await findActive(store)]).toEqual([true, 1, ['a']]);
});

test('a statement of another request is never part of it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const writing = store.commitAll(commits, [
    () => {
      addVisit();
      throw betterNot;
    },
  ]);
  setImmediate(() => {
    database.exec("INSERT INTO visits VALUES ('of another request')");
    resolve();
  });
  await expect(writing).rejects.toBe(betterNot);
  await promise;
  expect([database.inTransaction, visits(), await resultOf(store.read(ref))]).toEqual([false, 1, null]);
});

test('a statement that fails by SQLite undoes all of it, and its own error is the reason', async () => {
  addVisit();
  await expect(store.commitAll(commits, [addVisit])).rejects.toMatchObject({
    code: 'SQLITE_CONSTRAINT_UNIQUE',
  });
  expect([visits(), await findActive(store)]).toEqual([1, []]);
  await write(store, change());
});

test('statements of the host do not run if a commit is refused', async () => {
  await write(store, change());
  expect(await store.commitAll(commits, [addVisit])).toMatchObject({ left: { _tag: 'Conflict' } });
  expect(visits()).toBe(0);
});

test('a write of the host that returns a promise is refused with a sentence, and undone', async () => {
  const asynchronous = async () => {
    addVisit();
    throw betterNot;
  };
  expect(await store.commitAll(commits, [asynchronous])).toMatchObject({
    left: { _tag: 'Misuse', message: expect.stringContaining('must be synchronous') },
  });
  expect([visits(), await findActive(store)]).toEqual([0, []]);
});

test('a query of a tool that nobody has run is refused like a promise, because it would be lost', async () => {
  const then = vi.fn();
  // A query of Drizzle without `run()` is an object like this. It runs once it is awaited.
  const query = { then };
  expect(await store.commitAll(commits, [() => query])).toMatchObject({
    left: { _tag: 'Misuse', message: expect.stringContaining('must be synchronous') },
  });
  expect(then).not.toHaveBeenCalled();
  expect(await findActive(store)).toEqual([]);
});

test.each([['COMMIT'], ['COMMIT; BEGIN'], ['ROLLBACK'], ['ROLLBACK; BEGIN']])(
  'a write of the host that sends %s leaves an outcome that is not known, and nothing open',
  async (statements) => {
    const ended = await store.commitAll(commits, [() => database.exec(statements)]);
    expect(ended).toMatchObject({
      left: { _tag: 'OutcomeUnknown', message: expect.stringContaining('has ended the transaction') },
    });
    expect(database.inTransaction).toBe(false);
    await write(store, change({ id: 'next' }));
    expect((await findActive(store)).includes('next')).toBe(true);
  },
);

test('it waits while the host has a transaction open, and while another process writes', async () => {
  database.exec('BEGIN');
  const afterHost = store.commitAll(commits, [addVisit]);
  database.exec('COMMIT');
  expect(await resultOf(afterHost)).toEqual([[1], [2]]);
  const other = new Database(database.name);
  other.exec('BEGIN IMMEDIATE');
  const next = { changes: [change({ id: 'b' })], versionChecks: [] };
  const afterOther = store.commitAll([next], [() => database.exec("INSERT INTO visits VALUES ('two')")]);
  setImmediate(() => other.exec('COMMIT'));
  expect(await resultOf(afterOther)).toEqual([[1]]);
  expect(visits()).toBe(2);
  other.close();
});

test('records.transaction inserts a row of the host with a dose, in one turn', async () => {
  const records = createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  const organization = await records.transaction(async (tx) => {
    const { id } = await tx.directory.put('Organization', { id: 'lab', name: 'Lab' });
    tx.write((connection) => connection.prepare('INSERT INTO visits VALUES (?)').run(id));
    return id;
  });
  expect(database.prepare('SELECT name FROM visits').pluck().all()).toEqual([organization]);
  let runs = 0;
  await records.transaction(async (tx) => {
    runs += 1;
    await tx.directory.read('Organization', 'lab');
    const other = { id: 'lab', name: 'Other lab' };
    if (runs === 1) await inAnotherRequest(() => records.directory.put('Organization', other));
    await tx.directory.put('Organization', { id: 'lab', name: 'Newest lab' });
    tx.write(() => database.exec(`INSERT INTO visits VALUES ('run ${runs}')`));
  });
  expect(database.prepare('SELECT name FROM visits').pluck().all()).toEqual(['lab', 'run 2']);
  const inside = database.transaction(() => [records.transaction(async () => {})])();
  await expect(inside[0]).rejects.toMatchObject({ tag: 'Misuse' });
  expect((await records.verify()).discrepancies).toEqual([]);
});
