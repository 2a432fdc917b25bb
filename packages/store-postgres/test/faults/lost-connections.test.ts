import { createClinicalRecords } from '@clinical-records/core';
import { type Harm, startHostileProxy, startSilentProxy } from '@clinical-records/testing-postgres';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import {
  createTenant,
  fromPg,
  inTransaction,
  listTenants,
  openPostgresAuditStore,
  openPostgresStore,
  primaryOf,
} from '../../src/index.ts';
import { change, ref } from '../store-helpers.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';
import { commit, read, search } from './outcomes.ts';

const url = await newDatabase();
const admin = openPool(url);
await openPostgresStore({ pool: admin }).migrate();

/** A pool as it is documented: it has no listener for the errors of its clients. */
const openDocumentedPool = (connectionString: string): pg.Pool => {
  const pool = new pg.Pool({ connectionString, pipeline: true, connectionTimeoutMillis: 10_000, max: 4 });
  pool.on('error', () => {});
  return pool;
};

/** Errors that would end the process of a host, until the end of the test. */
const catchUnhandled = (): readonly unknown[] => {
  const unhandled: unknown[] = [];
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    const listeners = process.listeners(event as 'uncaughtException');
    const onError = (cause: unknown) => unhandled.push(cause);
    process.removeAllListeners(event).on(event, onError);
    onTestFinished(() => {
      process.removeListener(event, onError);
      for (const listener of listeners) process.on(event as 'uncaughtException', listener);
    });
  }
  return unhandled;
};

/** Does what a store and its host do with clients, whatever becomes of them. */
const useAll = async (pool: pg.Pool): Promise<void> => {
  const store = openPostgresStore({ pool, transactionTimeout: 2000 });
  const records = createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });
  const elsewhere = openPostgresStore({ pool: primaryOf([pool]), replicas: [pool] });
  const onClient = async (work: (client: pg.PoolClient) => Promise<unknown>) => {
    const client = await pool.connect();
    // As a host does that returns only clients that work.
    await work(client).then(
      () => client.release(),
      (cause: Error) => client.release(cause),
    );
  };
  await Promise.allSettled([
    commit(store, 'a'),
    commit(store, 'b'),
    read(store, 'a'),
    search(store),
    read(elsewhere, 'a'),
    commit(elsewhere, 'c'),
    openPostgresAuditStore({ pool }).append([{ at: 1, by: null, patientId: null, access: '{}' }]),
    createTenant({ pool, tenant: 'north' }),
    listTenants({ pool }),
    records.transaction((tx) => tx.directory.put('Organization', { id: '1', name: 'Lab' })),
    onClient((client) => inTransaction(client, (tx) => tx.join(store).read(ref))),
    onClient(async (client) => {
      await client.query('begin');
      await fromPg(client)
        .join(store)
        .commit({ changes: [change()], versionChecks: [] });
      await client.query('commit');
    }),
  ]);
};

test.each<readonly [Harm, number]>([
  ['terminate', 20],
  ['reset', 20],
  ['drip', 2],
])(
  'connections that %s, at whatever answer, end no process of a host, and the store goes on: %i rounds',
  async (harm, rounds) => {
    const unhandled = catchUnhandled();
    const proxy = await startHostileProxy(url, { harm, answers: 7 });
    const pool = openDocumentedPool(proxy.url);
    for (let round = 0; round < rounds; round += 1) await useAll(pool);
    proxy.close();
    await pool.end();
    expect(unhandled).toEqual([]);
    expect(proxy.countHarmed() > 0).toBe(harm !== 'drip');
    expect(await read(openPostgresStore({ pool: admin }), 'a')).toMatchObject({ _tag: 'Right' });
  },
);

test('so do connections that are made while the server ends all of them', async () => {
  const unhandled = catchUnhandled();
  const pool = openDocumentedPool(url);
  for (let round = 0; round < 20; round += 1) {
    const using = useAll(pool);
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    await using;
  }
  await pool.end();
  expect(unhandled).toEqual([]);
});

test('and connections that fall silent, and are then cut', async () => {
  const unhandled = catchUnhandled();
  const proxy = await startSilentProxy(url);
  const pool = openDocumentedPool(proxy.url);
  await useAll(pool);
  const using = useAll(pool);
  proxy.fallSilent();
  proxy.close();
  await using;
  await pool.end();
  expect(unhandled).toEqual([]);
});
