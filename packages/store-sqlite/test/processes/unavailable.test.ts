import { DatabaseSync } from 'node:sqlite';
import Database from 'better-sqlite3';
import { left } from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { fromSqlite, inTransaction, openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';
import { change, findActive, ref, resultOf, tryWrite, write } from '../store-helpers.ts';

const closed = { tag: 'StoreFailure', issues: [{ rule: 'store-closed' }] };

const secret = 'a patient of the clinic';

const filled = async (): Promise<string> => {
  const filename = newFile();
  const store = openSqliteStore({ filename });
  await write(store, change());
  await store.close();
  return filename;
};

test('on a read-only file, commits are NotWritable and reads work', async () => {
  const database = new Database(await filled(), { readonly: true });
  const store = openSqliteStore({ database });
  const outcomes = await Promise.all(['b', 'c'].map((id) => tryWrite(store, change({ id }))));
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ left: { _tag: 'NotWritable', cause: expect.any(Error) } });
  }
  expect(await findActive(store)).toEqual(['a']);
  expect(await resultOf(store.history({ ...ref, limit: 10 }))).toHaveLength(1);
  database.close();
});

test('on a full disk commits are NotWritable, nothing is lost, and commits work again once there is space', async () => {
  const database = new Database(await filled());
  const store = openSqliteStore({ database });
  const pages = Number(database.pragma('page_count', { simple: true }));
  database.pragma(`max_page_count = ${pages}`);
  const long = JSON.stringify(secret.repeat(10_000));
  const outcomes = await Promise.all(['b', 'c'].map((id) => tryWrite(store, change({ id, state: long }))));
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ left: { _tag: 'NotWritable' } });
    expect(JSON.stringify(outcome)).not.toContain(secret);
  }
  expect(await findActive(store)).toEqual(['a']);
  database.pragma('max_page_count = 1000000');
  await write(store, change({ id: 'b', state: long }));
  expect(await findActive(store)).toEqual(['a', 'b']);
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  database.close();
});

test('the message of SQLite, which may quote a chart, is only in the cause', async () => {
  const database = new Database(await filled());
  database.exec(
    `CREATE TRIGGER refusing BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, '${secret}'); END`,
  );
  const outcome = await tryWrite(openSqliteStore({ database }), change({ id: 'b' }));
  const message = expect.not.stringContaining(secret);
  expect(outcome).toMatchObject({ left: { _tag: 'Unavailable', message, cause: { message: secret } } });
  database.close();
});

test('while another connection writes for longer than the timeout, commits are Locked, and reads work', async () => {
  const filename = await filled();
  const store = openSqliteStore({ filename, busyTimeout: 1 });
  const other = new Database(filename);
  other.exec('BEGIN IMMEDIATE');
  expect(await tryWrite(store, change({ id: 'b' }))).toMatchObject({
    left: { _tag: 'Locked', message: expect.stringContaining('SQLITE_BUSY') },
  });
  expect(await findActive(store)).toEqual(['a']);
  other.exec('ROLLBACK');
  await write(store, change({ id: 'b' }));
  expect(await findActive(store)).toEqual(['a', 'b']);
  other.close();
  await store.close();
});

test('commits for which no transaction can begin wait for it together, and for nothing else', async () => {
  const filename = await filled();
  const statements: unknown[] = [];
  const database = new Database(filename, { timeout: 0, verbose: (sql) => statements.push(sql) });
  const store = openSqliteStore({ database });
  const other = new Database(filename);
  other.exec('BEGIN IMMEDIATE');
  statements.length = 0;
  const outcomes = await Promise.all(['b', 'c', 'd'].map((id) => tryWrite(store, change({ id }))));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ left: { _tag: 'Locked' } });
  expect(statements.filter((sql) => !String(sql).startsWith('PRAGMA'))).toEqual(['BEGIN IMMEDIATE']);
  other.close();
  database.close();
});

test('commits whose transaction cannot end are all Unavailable, and are not tried again', async () => {
  const statements: unknown[] = [];
  const database = new Database(await filled(), { verbose: (sql) => statements.push(sql) });
  const store = openSqliteStore({ database });
  database.exec(`CREATE TABLE visits (record REFERENCES records DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER visit AFTER INSERT ON records WHEN NEW.id = 'c' BEGIN INSERT INTO visits VALUES (-1); END`);
  statements.length = 0;
  const outcomes = await Promise.all(['b', 'c', 'd'].map((id) => tryWrite(store, change({ id }))));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ left: { _tag: 'Unavailable' } });
  expect(statements.filter((sql) => sql === 'BEGIN IMMEDIATE')).toHaveLength(1);
  expect(await findActive(store)).toEqual(['a']);
  database.close();
});

test('a record that a trigger of the host removes is Unavailable, and its entries do not lead to another', async () => {
  const database = new Database(await filled());
  const store = openSqliteStore({ database });
  await write(store, change({ id: 'last' }));
  database.exec(`CREATE TRIGGER leave_out BEFORE INSERT ON records BEGIN SELECT RAISE(IGNORE); END`);
  const index = [{ kind: 'token', parameter: 'status', system: '', code: 'draft' }] as const;
  expect(await tryWrite(store, change({ id: 'b', index }))).toMatchObject({
    left: { _tag: 'Unavailable' },
  });
  expect(database.prepare('SELECT count(*) FROM entries').pluck().get()).toBe(2);
  database.close();
});

test.each([
  ['better-sqlite3', (filename: string) => new Database(filename)],
  ['node:sqlite', (filename: string) => new DatabaseSync(filename)],
])(
  'on a handle of %s that the host has closed, every function is Closed, and none throws',
  async (_, open) => {
    const database = open(await filled());
    const store = openSqliteStore({ database });
    const begun = tryWrite(store, change({ id: 'b' }));
    database.close();
    const search = { type: 'Goal', conditions: [], start: { offset: 0 }, count: 1, withTotal: true };
    const outcomes = [
      await begun,
      await tryWrite(store, change()),
      await store.read(ref),
      await store.search(search),
      await store.history({ ...ref, limit: 10 }),
      await store.changesSince({ limit: 1 }),
    ];
    for (const outcome of outcomes) expect(outcome).toEqual(left({ _tag: 'Closed' }));
    await expect(inTransaction(database, async () => {})).rejects.toMatchObject(closed);
    await expect(fromSqlite(database).join(store).read(ref)).resolves.toEqual(left({ _tag: 'Closed' }));
  },
);
