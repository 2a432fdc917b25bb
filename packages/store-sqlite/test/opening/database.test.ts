import { exactVersion } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabaseFile } from '../../src/database.ts';
import { inTransaction, openSqliteAuditStore, openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';

test('a file of its own is opened so that commits are synced to the disk, and readers do not wait for a writer', () => {
  const { database, start, close } = openDatabaseFile(newFile(), { busyTimeout: 5000 });
  start();
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0];
  // 2 is FULL.
  expect(pragma('synchronous')).toBe(2);
  expect(pragma('journal_mode')).toBe('wal');
  expect(pragma('foreign_keys')).toBe(1);
  close();
});

test('a new file has pages of 8 KiB, and is not mapped, because a page would bring all that the system reads ahead', () => {
  const { database, close } = openDatabaseFile(newFile(), { busyTimeout: 5000 });
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0];
  expect(pragma('page_size')).toBe(8192);
  expect(pragma('mmap_size')).toBe(0);
  close();
});

test('a file grows with the texts of its records, and not by whole pages', async () => {
  const bytesOf = async (length: number) => {
    const database = new Database(':memory:');
    database.pragma('page_size = 8192');
    const text = JSON.stringify('x'.repeat(length));
    const records = Array.from({ length: 400 }, (_, at) =>
      change({ id: `${at}`, state: text, resource: text }),
    );
    await write(openSqliteStore({ database }), ...records);
    const [pages, pageSize] = ['page_count', 'page_size'].map((name) =>
      database.pragma(name, { simple: true }),
    );
    return (Number(pages) * Number(pageSize)) / 400;
  };
  const [short, middle, long] = [await bytesOf(880), await bytesOf(920), await bytesOf(960)] as const;
  expect([short / middle, long / middle]).toEqual([1, 1].map(() => expect.closeTo(1, 1)));
});

test.each([512, 4096, 65_536])(
  'a file with pages of %i bytes keeps them, and its log is as long as that of a new file',
  async (pageSize) => {
    const filename = newFile();
    const older = new Database(filename);
    older.pragma(`page_size = ${pageSize}`);
    await write(openSqliteStore({ database: older }), change());
    older.close();
    const { database, close } = openDatabaseFile(filename, { busyTimeout: 5000 });
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0];
    expect(pragma('page_size')).toBe(pageSize);
    expect(pragma('wal_autocheckpoint')).toBe((16 * 1024 * 1024) / pageSize);
    close();
    const store = openSqliteStore({ filename });
    expect(await write(store, change({ expects: exactVersion(1) }))).toEqual([2]);
    await store.close();
  },
);

test('a store leaves its file so that readers do not wait for a writer', async () => {
  const filename = newFile();
  await openSqliteStore({ filename }).close();
  const database = new Database(filename);
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
  database.close();
});

test('on an older Node, opening says which Node is needed, because better-sqlite3 would end the process', () => {
  const descriptors = Object.getOwnPropertyDescriptors(Set.prototype);
  onTestFinished(() => {
    Object.defineProperties(Set.prototype, descriptors);
  });
  Reflect.deleteProperty(Set.prototype, 'intersection');
  expect(() => openSqliteStore({ filename: ':memory:' })).toThrow('This Node is too old');
});

test.each(['', ' ', undefined, null])(
  'without a filename, as with %j, nothing is opened, because nothing would be stored',
  (filename) => {
    const options = { filename } as { readonly filename: string };
    expect(() => openSqliteStore(options)).toThrow('filename must not be empty');
    expect(() => openSqliteStore({} as typeof options)).toThrow('filename must not be empty');
  },
);

test.each([undefined, null, 'clinic.db'])(
  '%j in place of options is refused with the form of the options',
  (options) => {
    expect(() => openSqliteStore(options as never)).toThrow(
      new TypeError("openSqliteStore needs options, such as { filename: 'clinic.db' }."),
    );
  },
);

test.each([Number.NaN, -1, '5'] as readonly number[])(
  'a time of %o is refused, because it would never be over',
  async (time) => {
    const database = new Database(':memory:');
    const sentence = (name: string) => `${name} must be a number of 0 or more.`;
    expect(() => openSqliteStore({ database, transactionTimeout: time })).toThrow(
      sentence('transactionTimeout'),
    );
    await expect(inTransaction(database, async () => {}, { transactionTimeout: time })).rejects.toThrow(
      sentence('transactionTimeout'),
    );
    for (const open of [openSqliteStore, openSqliteAuditStore])
      expect(() => open({ filename: newFile(), busyTimeout: time })).toThrow(sentence('busyTimeout'));
  },
);

test('a time of 0 is allowed, and nothing is waited for', async () => {
  const database = new Database(':memory:');
  expect(await inTransaction(database, async () => 'done', { transactionTimeout: 0 })).toBe('done');
  await openSqliteStore({ filename: newFile(), busyTimeout: 0 }).close();
});

test.each([undefined, null, 'clinic.db', { prepare: () => {} }])(
  'a database that is %j is refused because it is not a handle',
  (database) => {
    expect(() => openSqliteStore({ database } as never)).toThrow(
      new TypeError('database must be an open Database of better-sqlite3, or a DatabaseSync of node:sqlite.'),
    );
  },
);

test('a handle of the host that returns integers as BigInt works as well', async () => {
  const database = new Database(newFile());
  database.defaultSafeIntegers(true);
  const store = openSqliteStore({ database });
  await write(store, change());
  expect(await write(store, change({ expects: exactVersion(1) }))).toEqual([2]);
  expect(await resultOf(store.read(ref))).toMatchObject({ version: 2, at: 1 });
  database.close();
});
