import { AsyncLocalStorage } from 'node:async_hooks';
import { rmSync } from 'node:fs';
import { createAuditLog } from '@clinical-records/core';
import type { AuditEntry, AuditStore } from '@clinical-records/core/store';
import { describeAuditStore } from '@clinical-records/store-contract';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { createSqliteAuditStore } from '../src/audit/open-sqlite-audit-store.ts';
import { openDatabase } from '../src/database.ts';
import { inTransaction, openSqliteAuditStore, openSqliteStore } from '../src/index.ts';
import { newFile } from './files.ts';
import { change, ref, resultOf, write } from './store-helpers.ts';

const inAnotherRequest = AsyncLocalStorage.snapshot();

let filename = '';

describeAuditStore({
  name: 'SQLite, a file',
  open: () => {
    filename = newFile();
    return openSqliteAuditStore({ filename });
  },
  openAgain: () => openSqliteAuditStore({ filename }),
});

const entry = (at: number): AuditEntry => ({ at, by: 'Practitioner/ada', patientId: 'amy', access: '{}' });

const fill = async (store: AuditStore, count = 4) =>
  resultOf(store.append(Array.from({ length: count }, (_, at) => entry(at))));

const open = async (count?: number) => {
  const database = new Database(newFile());
  const store = openSqliteAuditStore({ database });
  await fill(store, count);
  return { database, store, verify: async (head?: string) => createAuditLog({ store }).verify({ head }) };
};

test('the log and the records share a file, and records without a log have no table for it', async () => {
  const name = newFile();
  const records = openSqliteStore({ filename: name });
  await write(records, change());
  const inspect = new Database(name);
  const tables = () => inspect.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%audit%'").all();
  expect(tables()).toEqual([]);
  const audit = openSqliteAuditStore({ store: records });
  await fill(audit);
  await write(records, change());
  expect(await resultOf(records.read(ref))).toMatchObject({ version: 2 });
  expect(tables()).not.toEqual([]);
  expect(await resultOf(audit.search({ count: 9 }))).toHaveLength(4);
  await audit.close();
  expect(await audit.search({ count: 9 })).toMatchObject({ left: { _tag: 'Closed' } });
  expect(await resultOf(records.read(ref))).toMatchObject({ version: 2 });
  await records.close();
  inspect.close();
  expect(() => openSqliteAuditStore({ store: { ...records } })).toThrow(TypeError);
});

test.each([
  'UPDATE audit_events SET "by" = NULL WHERE position = 2',
  'DELETE FROM audit_events WHERE position = 4',
  "INSERT INTO audit_events VALUES (9, 1, NULL, NULL, '', '{}')",
  "INSERT OR REPLACE INTO audit_events VALUES (2, 1, NULL, NULL, '', '{}')",
])('the table refuses %s', async (sql) => {
  const { database, verify } = await open();
  expect(() => database.exec(sql)).toThrow(/audit log is/);
  expect(await verify()).toMatchObject({ entries: 4, discrepancies: [] });
  database.close();
});

test.each([
  'DELETE FROM audit_events WHERE position = 3',
  "INSERT INTO audit_events_start VALUES (4, 'another digest')",
  'INSERT INTO audit_events_start SELECT 9, digest FROM audit_events WHERE position = 4',
  'UPDATE audit_events_start SET position = 4',
  'DELETE FROM audit_events_start',
])('a log whose oldest entries were removed refuses %s', async (sql) => {
  const { database, store } = await open();
  await resultOf(store.removeUntil(2));
  expect(() => database.exec(sql)).toThrow(/audit log/i);
  expect(await resultOf(store.start())).toMatchObject({ position: 2 });
  expect(await resultOf(store.scan({ after: 0, limit: 9 }))).toHaveLength(2);
  database.close();
});

test.each([
  "UPDATE audit_events_index SET value = 'ben' WHERE position = 2",
  'DELETE FROM audit_events_index WHERE position = 4',
])('the index refuses %s', async (sql) => {
  const { database, store } = await open(4096);
  expect(() => database.exec(sql)).toThrow('An audit log is never changed.');
  expect(await resultOf(store.search({ patientIds: ['amy'], count: 5000 }))).toHaveLength(4096);
  database.close();
});

describe('somebody who removes the triggers is found by `verify`', () => {
  const withoutTriggers = `DROP TRIGGER audit_events_no_update; DROP TRIGGER audit_events_no_delete;
    DROP TRIGGER audit_events_append_only;`;
  test.each([
    ['a changed row', 'UPDATE audit_events SET "by" = \'Practitioner/bob\' WHERE position = 2', 2, 'digest'],
    ['a changed time', 'UPDATE audit_events SET at = at + 1 WHERE position = 4', 4, 'digest'],
    ['a removed row', 'DELETE FROM audit_events WHERE position = 2', 2, 'missing'],
    [
      'the first row removed as if it had expired',
      `INSERT INTO audit_events_start SELECT position, digest FROM audit_events WHERE position = 1;
       DELETE FROM audit_events WHERE position = 1`,
      ...([1, 'missing'] as const),
    ],
    ['the first row removed', 'DELETE FROM audit_events WHERE position = 1', 1, 'missing'],
    [
      'a row before the first',
      `INSERT INTO audit_events SELECT 0, at, "by", patient_id, digest, access FROM audit_events WHERE position = 1`,
      0,
      'digest',
    ],
    [
      'an inserted row',
      `UPDATE audit_events SET position = position + 100 WHERE position > 2;
       UPDATE audit_events SET position = position - 99 WHERE position > 100;
       INSERT INTO audit_events SELECT 3, at, "by", patient_id, digest, access FROM audit_events WHERE position = 2`,
      3,
      'digest',
    ],
  ])('%s', async (_, sql, position, problem) => {
    const { database, verify } = await open();
    database.exec(withoutTriggers + sql);
    expect((await verify()).discrepancies).toContainEqual({ position, problem });
    database.close();
  });

  test('rows removed at the end are found only by an earlier head', async () => {
    const { database, verify } = await open();
    const { head } = await verify();
    database.exec(`${withoutTriggers} DELETE FROM audit_events WHERE position > 2`);
    expect(await verify()).toMatchObject({ entries: 2, discrepancies: [], hasFoundHead: true });
    expect(await verify(head)).toMatchObject({ discrepancies: [], hasFoundHead: false });
    database.close();
  });
});

test('entries wait for the end of a transaction of the host, and its rollback does not undo them', async () => {
  const { database, store } = await open();
  let isOver = false;
  let appended = Promise.resolve();
  const work = inTransaction(database, async () => {
    // As another request does.
    appended = inAnotherRequest(() => fill(store, 1)).then(() => expect(isOver).toBe(true));
    await null;
    isOver = true;
    throw new Error('undo');
  });
  await expect(work).rejects.toThrow('undo');
  await appended;
  expect(await resultOf(store.search({ count: 9 }))).toHaveLength(5);
  database.close();
});

test('after a sync that failed, nothing is appended, because a crash could undo it', async () => {
  const { database } = await open();
  const syncs = [Promise.resolve(), Promise.reject(new Error('EIO')), Promise.resolve()];
  const log = {
    commit: <A>(work: () => A) => work(),
    sync: async () => syncs.shift(),
    close: async () => {},
  };
  const opened = openDatabase({ database });
  const store = createSqliteAuditStore(opened, 'audit_events', log);
  await fill(store, 1);
  expect(await store.append([entry(1)])).toMatchObject({ left: { _tag: 'OutcomeUnknown' } });
  expect(await store.append([entry(1)])).toMatchObject({ left: { _tag: 'OutcomeUnknown' } });
  expect(syncs).toHaveLength(1);
  database.close();
});

test('a search shows the log at one moment, also if another process completes a block of the index meanwhile', async () => {
  const filename = newFile();
  const database = new Database(filename);
  database.pragma('journal_mode = WAL');
  const store = openSqliteAuditStore({ database });
  await fill(store, 4095);
  const other = openSqliteAuditStore({ filename });
  const prepare = database.prepare.bind(database);
  vi.spyOn(database, 'prepare').mockImplementationOnce((sql: string) => {
    void other.append([entry(1)]);
    return prepare(sql);
  });
  const found = await resultOf(store.search({ patientIds: ['amy'], count: 9000 }));
  expect(found.map(({ position }) => position)).toEqual(Array.from({ length: 4095 }, (_, at) => 4095 - at));
  await other.close();
  database.close();
});

test('an append that was begun before the store is closed is durable', async () => {
  const audit = openSqliteAuditStore({ filename: newFile() });
  const appended = audit.append([entry(1)]);
  await audit.close();
  expect(await appended).toMatchObject({ _tag: 'Right' });
});

test('once the log of a file is deleted, no entry is reported as durable', async () => {
  const name = newFile();
  const records = openSqliteStore({ filename: name });
  const audit = openSqliteAuditStore({ store: records });
  await fill(audit);
  rmSync(`${name}-wal`);
  expect(await audit.append([entry(1)])).toMatchObject({ left: { _tag: 'OutcomeUnknown' } });
  await audit.close();
  await records.close();
});

test('a table is not created in a transaction of the host', () => {
  const database = new Database(newFile());
  database.exec('BEGIN');
  expect(() => openSqliteAuditStore({ database })).toThrow(/A transaction is open/);
  database.close();
});
