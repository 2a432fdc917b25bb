import { setTimeout } from 'node:timers/promises';
import { createClinicalRecords } from '@clinical-records/core';
import { startPostgres, startStandby } from '@clinical-records/testing-postgres';
import type pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { inTransaction, openPostgresStore } from '../../src/index.ts';
import { change, write } from '../store-helpers.ts';
import { openPool } from '../tenants/databases.ts';

const settings = { fsync: 'off' };

const primary = await startPostgres({ settings });
afterAll(primary.stop);
const standby = await startStandby(primary, { settings });
afterAll(standby.stop);

/** A store in a schema of its own, whose commits wait for a standby that is gone. */
const openWithoutStandby = async (schema: string) => {
  const pool = openPool(primary.url, { pipeline: true });
  const store = openPostgresStore({ pool, schema, transactionTimeout: 1000 });
  expect(await write(store, change())).toEqual([1]);
  await standby.kill();
  return { pool, store };
};

/** Cancels all waits for the standby until work ends, as an administrator may do. */
const cancelWaitsDuring = async <A>(admin: pg.Pool, work: Promise<A>): Promise<A> => {
  let isOver = false;
  const cancel = async () => {
    while (!isOver) {
      await admin.query("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");
      await setTimeout(10);
    }
  };
  const cancelled = cancel();
  return work.finally(() => {
    isOver = true;
    return cancelled;
  });
};

test('a commit is not reported as written if its wait for the standby is cancelled', async () => {
  const { pool, store } = await openWithoutStandby('cancelled');
  const admin = openPool(primary.url, { max: 1 });
  const commit = store.commit({ changes: [change({ id: 'b' })], versionChecks: [] });
  expect(await cancelWaitsDuring(admin, commit)).toMatchObject({
    left: {
      _tag: 'OutcomeUnknown',
      message:
        'The wait for the synchronous standby was cancelled, and it is not known whether the commit was written.',
    },
  });

  const { in: recordsIn } = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
  });
  const client = await pool.connect();
  const joined = inTransaction(client, (tx) =>
    recordsIn(tx).directory.put('Organization', { id: 'lab', name: 'Lab Ltd' }),
  );
  await expect(cancelWaitsDuring(admin, joined)).rejects.toMatchObject({
    issues: [{ rule: 'outcome-unknown' }],
  });
  client.release();

  await standby.restart();
  expect(await write(store, change({ id: 'c' }))).toEqual([1]);
});

test('a commit that waits for a standby that is gone ends as unknown after the time of a transaction', async () => {
  const { store } = await openWithoutStandby('late');
  expect(await store.commit({ changes: [change({ id: 'b' })], versionChecks: [] })).toMatchObject({
    left: { _tag: 'OutcomeUnknown', message: expect.stringContaining('has not answered in time') },
  });
  await standby.restart();
  expect(await write(store, change({ id: 'c' }))).toEqual([1]);
});
