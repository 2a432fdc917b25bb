import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../src/index.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';
import { commit, expectSound, expectUnavailable, read, search } from './outcomes.ts';

const url = await newDatabase();
const admin = openPool(url);

/** A store in a schema that has one record. */
const openStore = async (schema: string, options: pg.PoolConfig = {}) => {
  expect(await commit(openPostgresStore({ pool: openPool(url), schema }), 'before')).toMatchObject({
    right: [1],
  });
  return openPostgresStore({ pool: openPool(url, { pipeline: true, max: 4, ...options }), schema });
};

/** Locks tables until the returned function is called. */
const lock = async (schema: string, ...tables: readonly string[]) => {
  const client = await admin.connect();
  await client.query(`begin; lock table ${tables.map((table) => `${schema}.${table}`).join()}`);
  onTestFinished(async () => {
    await client.query('rollback');
    client.release();
  });
  return () => client.query('rollback');
};

/** Ends the first connection that waits for a lock. */
const cutWaiting = () =>
  expect
    .poll(
      async () =>
        (
          await admin.query(
            `select pg_terminate_backend(pid) as is_cut from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' limit 1`,
          )
        ).rows,
      { interval: 5, timeout: 20_000 },
    )
    .toEqual([{ is_cut: true }]);

test('a search whose connection is cut while it runs fails with the code, and the next one succeeds', async () => {
  const store = await openStore('cut_search');
  const unlock = await lock('cut_search', 'searchable');
  const searching = search(store);
  await cutWaiting();
  expectUnavailable([await searching], 'The PostgreSQL database is unavailable (57P01).');
  await unlock();
  await expectSound(store, ['before']);
});

test('a commit whose connection is cut while it runs is written once', async () => {
  const store = await openStore('cut_commit');
  const unlock = await lock('cut_commit', 'versions');
  const committing = commit(store, 'cut');
  await cutWaiting();
  await unlock();
  expect(await committing).toEqual({ _tag: 'Right', right: [1] });
  await expectSound(store, ['before', 'cut']);
});

test("what the host's statement_timeout cancels fails with the code, and nothing of it is written", async () => {
  // Each call has a connection with the present timeout.
  const store = await openStore('cancelled', { maxUses: 1 });
  await expectSound(store, ['before']);
  const database = new URL(url).pathname.slice(1);
  await admin.query(`alter database ${database} set statement_timeout = 300`);
  const unlock = await lock('cancelled', 'versions', 'searchable', 'head');
  const outcomes = await Promise.all([read(store, 'before'), search(store), commit(store, 'cancelled')]);
  expectUnavailable(outcomes, 'The PostgreSQL database is unavailable (57014).');
  await unlock();
  await admin.query(`alter database ${database} reset statement_timeout`);
  expect(await read(store, 'cancelled')).toEqual({ _tag: 'Right', right: null });
  expect(await commit(store, 'cancelled')).toMatchObject({ right: [1] });
});
