import { setTimeout } from 'node:timers/promises';
import { createClinicalRecords } from '@clinical-records/core';
import { type ClinicalStore, erasedState, exactVersion, noVersion } from '@clinical-records/core/store';
import { findDebianBinaries, startPostgres } from '@clinical-records/testing-postgres';
import type pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { inTransaction, migrationSql, openPostgresStore } from '../../src/index.ts';
import { change, resultOf, write } from '../store-helpers.ts';
import { openPool, openProxy } from '../tenants/databases.ts';

const debian = findDebianBinaries(15);
const settings = { fsync: 'off', wal_level: 'logical' };
const [older, newer] = [
  await startPostgres({ settings, ...(debian !== null && { binaries: debian }) }),
  await startPostgres({ settings }),
];
afterAll(() => Promise.all([older.stop(), newer.stop()]));

const index = [{ kind: 'token', parameter: 'description', system: '', code: 'secret' }] as const;

const secretOf = (id: string) => change({ id, state: '{"secret":1}', resource: '{"secret":1}', index });

const erase = (store: ClinicalStore, id: string) =>
  write(store, {
    ...{ ...secretOf(id), state: '{"isErased":true}', resource: null, index: [] },
    ...{ expects: exactVersion(1), priorStates: [erasedState('0'.repeat(64))] },
  });

/** Writes records until it is over, each again until it is written. Returns the ids of the written records. */
const writeUntil = async (store: ClinicalStore, name: string, isOver: () => boolean) => {
  const written: string[] = [];
  for (let n = 0; !isOver(); n += 1) {
    const created = change({ id: `${name}-${n}`, expects: noVersion });
    for (;;) {
      const outcome = await store.commit({ changes: [created], versionChecks: [] });
      // The second try of a commit whose response was lost finds what the first has written.
      if (outcome._tag === 'Right' || outcome.left._tag === 'Conflict') break;
      await setTimeout(10);
    }
    written.push(created.id);
  }
  return written;
};

/** The tables in which a row has a text. */
const tablesWith = async (pool: pg.Pool, text: string): Promise<readonly string[]> => {
  const { rows } = await pool.query("select tablename from pg_tables where schemaname = 'clinical_records'");
  const found = await Promise.all(
    rows.map(({ tablename }) =>
      pool.query(`select from clinical_records.${tablename} as t where t::text like '%${text}%'`),
    ),
  );
  return rows.flatMap(({ tablename }, at) => (found[at]?.rowCount === 0 ? [] : [tablename]));
};

const endOf = async (pool: pg.Pool) =>
  (await pool.query('select position, digest from clinical_records.head')).rows;

test('a newer server takes over while others write: nothing that was written is lost, and nothing that was erased comes back', async () => {
  const [before, after] = [openPool(older.url), openPool(newer.url)];
  const proxy = await openProxy(older.url);
  const store = openPostgresStore({ pool: openPool(proxy.url, { pipeline: true }) });
  await write(store, secretOf('first'), secretOf('second'));
  await erase(store, 'first');

  await before.query('create publication charts for tables in schema clinical_records');
  let isOver = false;
  const writers = ['a', 'b', 'c'].map((name) => writeUntil(store, name, () => isOver));
  await after.query(migrationSql());
  await after.query('truncate clinical_records.tenants, clinical_records.head, clinical_records.migrations');
  await after.query(`create subscription charts connection '${older.url}' publication charts`);
  const isCopied = async () =>
    (await after.query("select from pg_subscription_rel where srsubstate <> 'r'")).rowCount;
  await expect.poll(isCopied).toBe(0);
  await erase(store, 'second');

  // The older server takes no more writes. Once the last has ended and is copied, the proxy leads to the newer one.
  await before.query('alter system set default_transaction_read_only = on');
  await before.query('select pg_reload_conf()');
  const writing = async () =>
    (await before.query('select from pg_stat_activity where backend_xid is not null')).rowCount;
  await expect.poll(writing).toBe(0);
  // A connection notices that in its time, and may write before.
  let isLateWritten = false;
  const writeLate = async () => {
    const { _tag } = await store.commit({ changes: [change({ id: 'late' })], versionChecks: [] });
    if (_tag === 'Right') isLateWritten = true;
    return _tag;
  };
  await expect.poll(writeLate).toBe('Left');
  expect(await resultOf(store.readResource({ type: 'Goal', id: 'a-0' }))).not.toBeNull();
  await expect.poll(() => endOf(after)).toEqual(await endOf(before));
  await after.query('drop subscription charts');
  proxy.leadTo(newer.url);
  await before.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );

  const [{ position } = { position: 0 }] = await endOf(after);
  await expect
    .poll(async () => Number((await endOf(after))[0]?.position))
    .toBeGreaterThan(Number(position) + 30);
  isOver = true;
  const written = (await Promise.all(writers)).flat();
  const client = await after.connect();
  await inTransaction(client, (tx) =>
    write(tx.join(openPostgresStore({ pool: after })), change({ id: 'host' })),
  );
  client.release();

  // The feed goes on where that of the older server ends.
  const feedOf = async (pool: pg.Pool) =>
    (await pool.query('select position, digest, state from clinical_records.versions order by position'))
      .rows;
  const feed = await feedOf(before);
  expect((await feedOf(after)).slice(0, feed.length)).toEqual(feed);
  const created = (await after.query('select id from clinical_records.versions where version = 1')).rows;
  expect(created.map(({ id }) => id).toSorted()).toEqual(
    ['first', 'second', ...written, ...(isLateWritten ? ['late'] : []), 'host'].toSorted(),
  );
  expect(await tablesWith(before, 'secret')).toEqual([]);
  expect(await tablesWith(after, 'secret')).toEqual([]);
  const records = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
  });
  expect((await records.verify()).miscounted).toEqual([]);
});
