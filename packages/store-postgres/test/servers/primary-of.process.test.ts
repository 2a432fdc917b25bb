import { exactVersion } from '@clinical-records/core/store';
import { createDatabase } from '@clinical-records/testing-postgres';
import pg from 'pg';
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { inTransaction, openPostgresStore, primaryOf } from '../../src/index.ts';
import { change, write } from '../store-helpers.ts';
import { openProxy } from '../tenants/databases.ts';

const database = await createDatabase(inject('postgresUrl'));
afterAll(database.drop);

/** Short, so that a server that does not answer costs little time. */
const timeout = 1000;

const newPool = (url: string, options: pg.PoolConfig = {}): pg.Pool => {
  const pool = new pg.Pool({ connectionString: url, pipeline: true, ...options });
  pool.on('error', () => {});
  // Not awaited: a connection to a silent server ends with the server.
  onTestFinished(() => void pool.end());
  return pool;
};

/** Nothing listens on this port. */
const nowhere = 'postgres://postgres@127.0.0.1:1/postgres';

test('the primary is found beside servers that refuse connections, and others that do not answer', async () => {
  const silent = await openProxy(database.url);
  silent.fallSilent();
  const pools = [silent.url, nowhere, database.url].map((url) => newPool(url));
  const store = openPostgresStore({ pool: primaryOf(pools, { timeout }) });
  expect(await write(store, change())).toEqual([1]);
  await store.close();
});

test('a call is refused while none of the servers is the primary', async () => {
  const silent = await openProxy(database.url);
  silent.fallSilent();
  const store = openPostgresStore({
    pool: primaryOf(
      [silent.url, nowhere].map((url) => newPool(url)),
      { timeout },
    ),
  });
  expect(await store.commit({ changes: [change()], versionChecks: [] })).toMatchObject({
    left: {
      message: 'There is no connection to PostgreSQL: None of the servers is the primary.',
      cause: { message: 'None of the servers is the primary.' },
    },
  });
});

test('a server that falls silent is left for the new primary, and what was sent to it is written once', async () => {
  const proxy = await openProxy(database.url);
  const standby = newPool(database.url);
  let isPromoted = false;
  const pools = [
    newPool(proxy.url, { query_timeout: 1500 }),
    {
      waitingCount: 0,
      connect: () => (isPromoted ? standby.connect() : Promise.reject(new Error('The server is a standby.'))),
    },
  ];
  const store = openPostgresStore({ pool: primaryOf(pools, { timeout }), schema: 'silent' });
  expect(await write(store, change())).toEqual([1]);
  proxy.fallSilent();
  isPromoted = true;
  expect(await write(store, change({ expects: exactVersion(1) }))).toEqual([2]);
  expect(await write(store, change({ expects: exactVersion(2) }))).toEqual([3]);
  await store.close();
});

test('who waits for a client of a busy primary gets it once it is free', async () => {
  const server = newPool(database.url, { max: 1 });
  let calls = 0;
  const pool = primaryOf<pg.PoolClient>(
    [
      {
        waitingCount: 0,
        connect: () => {
          calls += 1;
          return server.connect();
        },
      },
    ],
    { timeout: 300 },
  );
  const first = await vi.waitFor(() => pool.connect(), { timeout: 30_000 });
  calls = 0;
  const waiting = pool.connect();
  // The server is asked again and again, and cannot answer.
  await vi.waitUntil(() => calls > 2, { timeout: 30_000 });
  first.release();
  const second = await waiting;
  expect(await inTransaction(second, () => second.query('select 1 as one'))).toMatchObject({
    rows: [{ one: 1 }],
  });
  second.release();
});
