import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAuditLog, createClinicalRecords } from '@clinical-records/core';
import Database from 'better-sqlite3';
import { isRight } from 'fp-ts/lib/Either.js';
import { expect, onTestFinished, test } from 'vitest';
import { inTransaction, openSqliteAuditStore, openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';
import { change, findActive, ref, resultOf, tryWrite, write } from '../store-helpers.ts';

const lockHolder = fileURLToPath(new URL('./lock-holder.ts', import.meta.url));

/** Lets another process hold the lock of a file. Returns a function that lets it go. */
const lock = async (filename: string): Promise<() => Promise<void>> => {
  const holder = spawn(process.execPath, [lockHolder, filename], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void holder.kill());
  await once(holder.stdout, 'data');
  const ended = once(holder, 'exit');
  return async () => {
    holder.stdin.end();
    await ended;
  };
};

/** Whether work is still pending after many turns of the event loop. */
const isPending = async (work: Promise<unknown>): Promise<boolean> => {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  for (let turns = 0; turns < 100; turns += 1) await setImmediate();
  return !isOver;
};

const minute = 60_000;

const handles = {
  'its own handle': (filename: string) => openSqliteStore({ filename, busyTimeout: minute }),
  'a handle of the host': (filename: string) =>
    openSqliteStore({ database: new Database(filename, { timeout: minute }) }),
};

test.each(Object.entries(handles))(
  'on %s, a commit waits while another process writes, and reads, searches and timers do not',
  async (_, open) => {
    const filename = newFile();
    const store = open(filename);
    await write(store, change());
    const unlock = await lock(filename);
    const written = write(store, change({ id: 'b' }), change({ id: 'c' }));
    expect(await isPending(written)).toBe(true);
    const later = write(store, change({ id: 'd' }));
    expect(await resultOf(store.read(ref))).toMatchObject({ version: 1 });
    expect(await findActive(store)).toEqual(['a']);
    expect(await isPending(Promise.all([written, later]))).toBe(true);
    await unlock();
    await Promise.all([written, later]);
    expect(await findActive(store)).toEqual(['a', 'b', 'c', 'd']);
    await store.close();
  },
);

test('a handle of the host keeps its timeout for the statements of the host', async () => {
  const filename = newFile();
  const database = new Database(filename, { timeout: 1234 });
  const store = openSqliteStore({ database });
  const unlock = await lock(filename);
  const written = write(store, change());
  expect(await isPending(written)).toBe(true);
  expect(database.pragma('busy_timeout', { simple: true })).toBe(1234);
  await unlock();
  await written;
  expect(database.pragma('busy_timeout', { simple: true })).toBe(1234);
  database.close();
});

test('a commit that has waited for `busyTimeout` is Locked, and later ones are written', async () => {
  const filename = newFile();
  const store = openSqliteStore({ filename, busyTimeout: 1 });
  const unlock = await lock(filename);
  expect(await tryWrite(store, change())).toMatchObject({
    left: { _tag: 'Locked', message: 'Another process holds the SQLite database (SQLITE_BUSY).' },
  });
  expect(await findActive(store)).toEqual([]);
  await unlock();
  await write(store, change());
  expect(await findActive(store)).toEqual(['a']);
  await store.close();
});

test('a store that is closed meanwhile writes the commits that wait for a lock', async () => {
  const filename = newFile();
  const store = openSqliteStore({ filename, busyTimeout: minute });
  const unlock = await lock(filename);
  const written = tryWrite(store, change());
  const closed = store.close();
  expect(await isPending(closed)).toBe(true);
  await unlock();
  expect(isRight(await written)).toBe(true);
  await closed;
});

test('inTransaction waits for the lock as long as the handle says, and the process goes on', async () => {
  const filename = newFile();
  const database = new Database(filename, { timeout: minute });
  const store = openSqliteStore({ database });
  const unlock = await lock(filename);
  const done = inTransaction(database, async () => 'done');
  expect(await isPending(done)).toBe(true);
  expect(await resultOf(store.read(ref))).toBeNull();
  await unlock();
  expect(await done).toBe('done');
  const unlockAgain = await lock(filename);
  database.pragma('busy_timeout = 1');
  await expect(inTransaction(database, async () => 'done')).rejects.toMatchObject({
    issues: [{ rule: 'store-locked' }],
  });
  await unlockAgain();
  database.close();
});

const openAudited = (filename: string, busyTimeout: number) => {
  const store = openSqliteStore({ filename, busyTimeout });
  const auditStore = openSqliteAuditStore({ store });
  const audit = createAuditLog({ store: auditStore });
  const records = createClinicalRecords({
    ...{ store, extensionBase: 'https://clinic.example/fhir', careTeamRoles: [] },
    onAccess: audit.onAccess,
  });
  const close = async () => {
    await auditStore.close();
    await store.close();
  };
  return { records, store, audit, close };
};

test('an audited read is answered once its entry is durable, and other reads do not wait for it', async () => {
  const filename = newFile();
  const { records, store, audit, close } = openAudited(filename, minute);
  const unlock = await lock(filename);
  const read = records.goals.search({}, { by: 'Practitioner/ada' });
  expect(await isPending(read)).toBe(true);
  expect(await resultOf(store.read(ref))).toBeNull();
  expect((await audit.search({ count: 9 })).events).toEqual([]);
  await unlock();
  await read;
  expect((await audit.search({ count: 9 })).events).toHaveLength(1);
  await close();
});

test('an audited read whose entry cannot be written until the timeout shows nothing', async () => {
  const filename = newFile();
  const { records, audit, close } = openAudited(filename, 1);
  const unlock = await lock(filename);
  await expect(records.goals.search({}, { by: 'Practitioner/ada' })).rejects.toMatchObject({
    tag: 'StoreFailure',
    issues: [{ rule: 'unrecorded-access' }],
  });
  await unlock();
  await records.goals.search({}, { by: 'Practitioner/ada' });
  expect((await audit.search({ count: 9 })).events).toHaveLength(1);
  await close();
});

test('an entry that waits for a lock is durable once the audit store is closed', async () => {
  const filename = newFile();
  const store = openSqliteAuditStore({ filename, busyTimeout: minute });
  const unlock = await lock(filename);
  const appended = store.append([{ at: 1, by: null, patientId: null, access: '{}' }]);
  const closed = store.close();
  expect(await isPending(closed)).toBe(true);
  await unlock();
  expect(isRight(await appended)).toBe(true);
  await closed;
});
