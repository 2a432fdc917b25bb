import { createClinicalRecords } from '@clinical-records/core';
import { erasedState, exactVersion, noVersion } from '@clinical-records/core/store';
import { beforeEach, expect, test } from 'vitest';
import { inTransaction, openPostgresAuditStore, openPostgresStore } from '../../src/index.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';
import { newDatabase } from '../tenants/databases.ts';
import { openCountingPool } from './trips.ts';

const url = await newDatabase();

const { pool, takeTraffic } = openCountingPool(url, { max: 3 });
const store = openPostgresStore({ pool, replicas: [pool] });
await store.migrate();

beforeEach(() => {
  takeTraffic();
});
const expectOneAtATime = () => expect(takeTraffic().most).toBe(1);

const ids = Array.from({ length: 20 }, (_, at) => `r${at}`);
const index = [{ kind: 'token', parameter: 'status', system: '', code: 'active' }] as const;
const condition = { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] } as const;
const query = { type: 'Goal', conditions: [condition], start: { offset: 0 }, count: 1, withTotal: true };

test('a client without a pipeline gets one query after the other: writes that conflict, reads and searches at once', async () => {
  await Promise.all(ids.map((id) => write(store, change({ id, index, expects: noVersion }))));
  await Promise.all(ids.map((id) => write(store, change({ id, index }))));
  const conflicts = ids.map((id) =>
    store.commit({ changes: [change({ id, expects: noVersion })], versionChecks: [] }),
  );
  expect(await Promise.all(conflicts)).toMatchObject(ids.map(() => ({ left: { _tag: 'Conflict' } })));
  const reads = ids.flatMap((id) => [
    resultOf(store.read({ ...ref, id })),
    resultOf(store.readResource({ ...ref, id })),
    resultOf(store.history({ ...ref, id, limit: 5 })),
    resultOf(store.search(query)),
  ]);
  expect(await Promise.all(reads)).not.toContain(null);
  expectOneAtATime();
});

test('an erasure, and a reindexing', async () => {
  const priorStates = [1, 2].map(() => erasedState('0'.repeat(64)));
  await write(store, change({ id: 'r0', resource: null, expects: exactVersion(2), priorStates }));
  const records = [{ ...ref, id: 'r1', expects: exactVersion(2), index: [] }];
  await resultOf(store.commit({ changes: [], versionChecks: [], reindexing: { records } }));
  expectOneAtATime();
});

test('a transaction of the host with calls at once, and records.transaction', async () => {
  const client = await pool.connect();
  await inTransaction(client, async (tx) => {
    const inside = tx.join(store);
    await client.query('create table visits (name text)');
    await Promise.all(ids.map((id) => write(inside, change({ id }))));
    await Promise.all(ids.map((id) => resultOf(inside.read({ ...ref, id }))));
  });
  client.release();
  const records = createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });
  await records.transaction(async (tx) => {
    await Promise.all(ids.map((id) => tx.directory.put('Organization', { id, name: id })));
    tx.write((connection) => connection.query({ text: 'drop table visits' }));
  });
  expectOneAtATime();
});

test('the log of the audit', async () => {
  const audit = openPostgresAuditStore({ pool });
  const entry = { at: 1, by: null, patientId: null, access: '{}' };
  await Promise.all(ids.map(() => resultOf(audit.append([entry]))));
  expectOneAtATime();
});

test('once the connection is lost, a client gets no more', async () => {
  const { pool: lost, takeTraffic: takeLost } = openCountingPool(url, { max: 1 });
  const client = await lost.connect();
  const inside = inTransaction(client, async (tx) => {
    const joined = tx.join(openPostgresStore({ pool: lost }));
    const { rows } = await client.query('select pg_backend_pid() as pid');
    await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
    takeLost();
    const outcomes = await Promise.all(ids.map((id) => joined.read({ ...ref, id })));
    expect(outcomes).toMatchObject(ids.map(() => ({ left: { _tag: 'Unavailable' } })));
    expect(takeLost().queries).toBe(1);
  });
  await expect(inside).rejects.toThrow();
  client.release(true);
});
