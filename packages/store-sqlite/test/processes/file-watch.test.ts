import { copyFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { inTransaction, openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';
import { change, findActive, ref, tryWrite, write } from '../store-helpers.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A second later: the store looks at its files again. */
const aSecondLater = () => {
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 1001);
};

const gone = expect.stringContaining('deleted, moved or replaced');

const losses: readonly (readonly [string, (filename: string) => void])[] = [
  ['the file is deleted', (filename) => rmSync(filename)],
  ['the log is deleted', (filename) => rmSync(`${filename}-wal`)],
  ['the index of the log is deleted', (filename) => rmSync(`${filename}-shm`)],
  ['the file is moved', (filename) => renameSync(filename, `${filename}.old`)],
  [
    'another file is put in its place',
    (filename) => {
      copyFileSync(filename, `${filename}.copy`);
      renameSync(`${filename}.copy`, filename);
    },
  ],
];

test.each(losses)('once %s, no commit is reported as written, and nothing more is done', async (_, lose) => {
  const filename = newFile();
  const store = openSqliteStore({ filename });
  await write(store, change());
  lose(filename);
  expect(await tryWrite(store, change({ id: 'b' }))).toMatchObject({
    left: { _tag: 'OutcomeUnknown', message: gone },
  });
  for (const outcome of [await tryWrite(store, change({ id: 'c' })), await store.read(ref)])
    expect(outcome).toMatchObject({ left: { _tag: 'Unavailable', message: gone } });
  await store.close();
});

test.each(losses)('once %s, nothing is reported as written with statements of the host', async (_, lose) => {
  const filename = newFile();
  const store = openSqliteStore({ filename });
  await write(store, change());
  lose(filename);
  const commits = [{ changes: [change({ id: 'b' })], versionChecks: [] }];
  expect(await store.commitAll(commits, [])).toMatchObject({
    left: { _tag: 'OutcomeUnknown', message: gone },
  });
  await store.close();
});

test.each(losses)('once %s, reads are refused within a second', async (_, lose) => {
  const filename = newFile();
  const store = openSqliteStore({ filename });
  await write(store, change());
  lose(filename);
  aSecondLater();
  expect(await store.read(ref)).toMatchObject({ left: { _tag: 'Unavailable', message: gone } });
  await store.close();
});

test('a file of a handle of the host is watched, and the host may choose its journal', async () => {
  const filename = newFile();
  const database = new Database(filename);
  database.pragma('journal_mode = WAL');
  const store = openSqliteStore({ database });
  await write(store, change());
  database.pragma('journal_mode = DELETE');
  await write(store, change({ id: 'b' }));
  rmSync(filename);
  aSecondLater();
  expect(await store.read(ref)).toMatchObject({ left: { _tag: 'Unavailable', message: gone } });
  database.close();
});

test('once the file is deleted, a transaction of the host that writes records is not reported as committed', async () => {
  const filename = newFile();
  const database = new Database(filename);
  database.pragma('journal_mode = WAL');
  const store = openSqliteStore({ database });
  await write(store, change());
  rmSync(filename);
  const lost = inTransaction(database, (tx) => write(tx.join(store), change({ id: 'b' })));
  await expect(lost).rejects.toMatchObject({
    tag: 'StoreFailure',
    issues: [{ rule: 'outcome-unknown' }],
    cause: { message: gone },
  });
  expect(await store.read(ref)).toMatchObject({ left: { _tag: 'Unavailable', message: gone } });
  database.close();
});

test('a file that is opened by a link is the same while the link leads to it', async () => {
  const filename = newFile();
  const link = `${filename}.link`;
  await openSqliteStore({ filename }).close();
  symlinkSync(filename, link);
  const store = openSqliteStore({ filename: link });
  await write(store, change());
  aSecondLater();
  expect(await findActive(store)).toEqual(['a']);
  rmSync(link);
  expect(await tryWrite(store, change())).toMatchObject({ left: { message: gone } });
  await store.close();
});

test('a database in memory has no file to lose', async () => {
  const store = openSqliteStore({ filename: ':memory:' });
  aSecondLater();
  await write(store, change());
  expect(await findActive(store)).toEqual(['a']);
  await store.close();
});
