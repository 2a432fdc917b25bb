import { Absent, type ClinicalStore, Version } from '@clinical-records/core';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../src/index.ts';
import { active, answer, change, ref, tryToWrite, write } from './changes.ts';
import { newFile } from './files.ts';

let database: Database.Database;
let store: ClinicalStore;

beforeEach(() => {
  database = new Database(newFile());
  database.exec('CREATE TABLE visits (name TEXT)');
  store = openSqliteStore({ database, prefix: 'chart_' });
});

afterEach(async () => {
  await store.close()();
  database.close();
});

const visits = () => database.prepare('SELECT count(*) FROM visits').pluck().get();

test("a commit in the host's transaction is undone with it", async () => {
  database.exec("BEGIN; INSERT INTO visits VALUES ('one')");
  expect(await write(store, change())).toEqual([1]);
  expect(await active(store)).toEqual(['a']);
  database.exec('ROLLBACK');
  expect(visits()).toBe(0);
  expect(await answer(store.read(ref))).toBeNull();
  expect(await active(store)).toEqual([]);
  expect(await answer(store.changesSince({ position: 0, limit: 10 }))).toEqual([]);
});

test("a commit in the host's transaction lands with it", async () => {
  database.exec("BEGIN; INSERT INTO visits VALUES ('one')");
  await write(store, change());
  database.exec('COMMIT');
  expect(visits()).toBe(1);
  expect(await active(store)).toEqual(['a']);
});

test('index entries are found again after a transaction of the host that first named them was undone', async () => {
  database.exec('BEGIN');
  await write(store, change());
  database.exec('ROLLBACK');
  await write(
    store,
    change({ id: 'other', index: [{ kind: 'token', parameter: 'x', system: '', code: 'y' }] }),
  );
  await write(store, change());
  expect(await active(store)).toEqual(['a']);
});

test('while the host iterates a statement on the handle, commits and searches are Unavailable and say why; afterwards all goes on', async () => {
  await write(store, change());
  const rows = database.prepare('SELECT 1 UNION SELECT 2').iterate();
  rows.next();
  const query = { type: 'Goal', conditions: [], start: { offset: 0 }, count: 1 };
  for (const task of [store.commit({ changes: [change()], premises: [] }), store.search(query)]) {
    expect(await task()).toMatchObject({
      left: { _tag: 'Unavailable', message: expect.stringContaining('busy executing a query') },
    });
  }
  rows.return?.();
  await write(store, change());
  expect(await active(store)).toEqual(['a']);
});

test.each([Version(5), Absent])("a conflict leaves the host's transaction as it was: %o", async (expects) => {
  await write(store, change());
  database.exec("BEGIN; INSERT INTO visits VALUES ('one')");
  const stale = [change({ id: 'b' }), change({ expects })];
  expect(await store.commit({ changes: stale, premises: [] })()).toMatchObject({
    left: { _tag: 'Conflict', actual: 1 },
  });
  expect(await write(store, change())).toEqual([2]);
  database.exec('COMMIT');
  expect(visits()).toBe(1);
  expect(await active(store)).toEqual(['a']);
});

test('what SQLite undoes together with the whole transaction of the host is Unavailable, and nothing of it lands', async () => {
  database.exec(
    `CREATE TRIGGER refuse BEFORE UPDATE ON chart_records BEGIN SELECT RAISE(ROLLBACK, 'no'); END`,
  );
  database.exec("BEGIN; INSERT INTO visits VALUES ('one')");
  await write(store, change());
  const next = store.commit({ changes: [change({ expects: Version(1) })], premises: [] });
  expect(await next()).toMatchObject({ left: { _tag: 'Unavailable' } });
  expect(database.inTransaction).toBe(false);
  expect(visits()).toBe(0);
  expect(await answer(store.read(ref))).toBeNull();
});

test("a commit that waits when the store is closed in the host's transaction is Unavailable, whatever that holds", async () => {
  const waiting = tryToWrite(store, change({ expects: Absent }));
  database.exec('BEGIN');
  await write(store, change());
  await answer(store.close());
  expect(await waiting).toMatchObject({ left: { _tag: 'Unavailable' } });
  database.exec('ROLLBACK');
});

test('a commit run within a synchronous transaction of better-sqlite3 is a part of it', async () => {
  const commit = store.commit({ changes: [change({ expects: Absent })], premises: [] });
  const visit = database.transaction(() => {
    const answered = commit();
    throw new Error('the host thinks better of it', { cause: answered });
  });
  expect(visit).toThrow('thinks better');
  expect(await answer(store.read(ref))).toBeNull();
  const answered = database.transaction(() => [commit()])();
  expect(await Promise.all(answered)).toMatchObject([{ right: [1] }]);
  expect(await answer(store.read(ref))).toMatchObject({ version: 1 });
});

test("what was asked for before the host's transaction is not undone with it", async () => {
  const before = tryToWrite(store, change());
  database.exec("BEGIN; INSERT INTO visits VALUES ('one')");
  await new Promise((resolve) => setImmediate(resolve));
  database.exec('ROLLBACK');
  expect(await before).toMatchObject({ right: [1] });
  expect(await active(store)).toEqual(['a']);
});

test("a store that is closed within the host's transaction writes nothing into it any more", async () => {
  const before = tryToWrite(store, change());
  database.exec('BEGIN');
  await answer(store.close());
  expect(await before).toMatchObject({ left: { _tag: 'Unavailable' } });
  database.exec('COMMIT');
  expect(database.prepare('SELECT count(*) FROM chart_records').pluck().get()).toBe(0);
});

test('while the host steps through rows on the handle, a commit is Unavailable and reads go on', async () => {
  await write(store, change());
  database.exec("INSERT INTO visits VALUES ('one'), ('two')");
  const next = store.commit({ changes: [change()], premises: [] });
  for (const _ of database.prepare('SELECT name FROM visits').iterate()) {
    expect(await next()).toMatchObject({
      left: { _tag: 'Unavailable', cause: { message: expect.stringMatching(/busy executing a query/) } },
    });
    expect(await answer(store.read(ref))).toMatchObject({ version: 1 });
  }
  expect(await next()).toMatchObject({ right: [2] });
});
