import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { createBackgroundCheckpoint } from '../../src/background-checkpoint.ts';
import { driverOf, type SqliteDriver } from '../../src/driver.ts';
import { databaseOf } from '../../src/host-transaction.ts';
import { openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';
import { change, write } from '../store-helpers.ts';

const driver = driverOf(new Database(':memory:')) as SqliteDriver;

test('a log that a reader kept long is copied beside the commits, which copy again when little is left', async () => {
  const database = new Database(newFile());
  database.pragma('journal_mode = WAL');
  database.pragma('wal_autocheckpoint = 10');
  database.exec('CREATE TABLE notes (text TEXT)');
  const log = createBackgroundCheckpoint(database, { driver, checkpointPages: 10, longBytes: 100_000 });
  const add = () => database.prepare('INSERT INTO notes VALUES (?)').run('x'.repeat(50_000));
  const copies = () => database.pragma('wal_autocheckpoint', { simple: true });

  const reader = new Database(database.name);
  reader.exec('BEGIN');
  reader.prepare('SELECT * FROM notes').all();
  add();
  log.checkLog();
  expect([log.isRunning(), copies()]).toEqual([false, 10]);
  for (let at = 0; at < 10; at += 1) add();
  log.checkLog();
  expect([log.isRunning(), copies()]).toEqual([true, 0]);
  // Commits that are made meanwhile are copied, too.
  add();
  reader.close();
  await vi.waitFor(() => expect([log.isRunning(), copies()]).toEqual([false, 10]), { timeout: 50_000 });
  const [left] = database.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
  expect(left?.log).toBe(left?.checkpointed);
  expect(statSync(`${database.name}-wal`).size).toBe(0);
  // A log that is long, but copied, is left to the commits.
  const other = new Database(database.name);
  other.pragma('wal_autocheckpoint = 0');
  for (let at = 0; at < 10; at += 1) other.prepare('INSERT INTO notes VALUES (?)').run('x'.repeat(50_000));
  other.pragma('wal_checkpoint(PASSIVE)');
  expect(statSync(`${database.name}-wal`).size).toBeGreaterThan(100_000);
  log.checkLog();
  expect(log.isRunning()).toBe(false);
  other.close();
  database.close();
});

test('a log that another process has made long is not copied by the next commit', async () => {
  const store = openSqliteStore({ filename: newFile() });
  const database = databaseOf(store) as Database.Database;
  // It keeps the thread from copying the log, and so from ending.
  const reader = new Database(database.name);
  reader.exec('BEGIN');
  reader.prepare('SELECT * FROM records').all();
  const other = new Database(database.name);
  other.pragma('wal_autocheckpoint = 0');
  other.exec(`CREATE TABLE notes (text BLOB); INSERT INTO notes VALUES (zeroblob(${80 * 1024 * 1024}))`);
  await write(store, change());
  expect(database.pragma('wal_autocheckpoint', { simple: true })).toBe(0);
  reader.close();
  other.close();
  await store.close();
});

test('a log that is not long is left to the commits', () => {
  const database = new Database(newFile());
  database.pragma('journal_mode = WAL');
  const log = createBackgroundCheckpoint(database, { driver, checkpointPages: 10, longBytes: 100_000 });
  database.exec('CREATE TABLE notes (text TEXT)');
  log.checkLog();
  expect(statSync(`${database.name}-wal`).size).toBeLessThan(100_000);
  expect(log.isRunning()).toBe(false);
  database.close();
});

test('the background copy of a log ends when it is closed', async () => {
  const database = new Database(newFile());
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE notes (text TEXT)');
  const log = createBackgroundCheckpoint(database, { driver, checkpointPages: 10, longBytes: 1 });
  const reader = new Database(database.name);
  reader.exec('BEGIN');
  reader.prepare('SELECT * FROM notes').all();
  for (let at = 0; at < 50; at += 1) database.prepare('INSERT INTO notes VALUES (?)').run('x'.repeat(5_000));
  log.checkLog();
  expect(log.isRunning()).toBe(true);
  await log.close();
  expect(log.isRunning()).toBe(false);
  reader.close();
  database.close();
});
