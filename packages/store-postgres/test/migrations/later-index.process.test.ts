import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/index.ts';
import { createQueryBuilder } from '../../src/statement.ts';
import { formatMigrations, migrate } from '../../src/tables/migrate.ts';
import { firstVersion, type Migration, migrations } from '../../src/tables/migrations.ts';
import { change, write } from '../store-helpers.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';

const url = await newDatabase();
const pool = openPool(url, { max: 12 });

/** The steps of a later version of the library. */
const steps: readonly Migration[] = [
  ...migrations,
  { index: 'versions_by_type', table: 'versions', content: sql`(type, committed)` },
];

const versionsBefore = migrations.map((_, at) => firstVersion + at);
const lastVersion = firstVersion + migrations.length;

const migrateLater = async (schema: string): Promise<void> => {
  const client = await pool.connect();
  try {
    await migrate(client, createQueryBuilder(schema), {}, steps);
  } finally {
    client.release();
  }
};

/** The added indexes, and whether PostgreSQL uses them. */
const indexesOf = async (schema: string): Promise<readonly string[]> => {
  const { rows } = await pool.query(
    `select format('%s %s', relname, case when indisvalid then 'valid' else 'invalid' end) as index
     from pg_index join pg_class on pg_class.oid = indexrelid
     where relnamespace = $1::regnamespace and relname like 'versions_by_type%' order by relname`,
    [schema],
  );
  return rows.map(({ index }) => index);
};

const versionsOf = async (schema: string): Promise<readonly number[]> =>
  (await pool.query(`select version from ${schema}.migrations order by version`)).rows.map(
    ({ version }) => version,
  );

/** Processes that build an index and wait for a transaction, so that it is not finished. */
const findWaiting = async (schema: string): Promise<readonly number[]> => {
  const { rows } = await pool.query(
    `select pid from pg_stat_activity
     where query like 'create index concurrently%' || $1 || '%' and wait_event_type = 'Lock'`,
    [schema],
  );
  return rows.map(({ pid }) => pid);
};

const waitUntil = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await setTimeout(10);
};

/** Runs work while a transaction that has written a version is open. */
const whileOthersWrite = async (schema: string, work: (client: pg.PoolClient) => Promise<void>) => {
  const client = await pool.connect();
  try {
    await client.query(`begin; update ${schema}.versions set committed = now()`);
    await work(client);
    await client.query('rollback');
  } finally {
    client.release();
  }
};

/** A store whose tables hold data. */
const openFilled = async (schema: string, partitions: number) => {
  const store = openPostgresStore({ pool, schema, partitions });
  for (let at = 0; at < 50; at += 1) await write(store, change({ id: `${at}`, patientId: `${at}` }));
  return store;
};

test.each([
  [0, ['versions_by_type valid']],
  [2, ['versions_by_type valid', 'versions_by_type_0 valid', 'versions_by_type_1 valid']],
])(
  'four processes build an index at once on a table with %i partitions, while others write',
  async (partitions, indexes) => {
    const schema = `filled_${partitions}`;
    const store = await openFilled(schema, partitions);
    let migrating: Promise<unknown> = Promise.resolve();
    await whileOthersWrite(schema, async () => {
      migrating = Promise.all(Array.from({ length: 4 }, () => migrateLater(schema)));
      await waitUntil(async () => (await findWaiting(schema)).length > 0);
      expect(await write(store, change({ id: '1', patientId: '1' }))).toEqual([2]);
      expect(await versionsOf(schema)).toEqual(versionsBefore);
    });
    await migrating;
    expect(await indexesOf(schema)).toEqual(indexes);
    expect(await versionsOf(schema)).toEqual([...versionsBefore, lastVersion]);
  },
);

test('an index may take longer to build than a query of the pool', async () => {
  const schema = 'built_slowly';
  await openFilled(schema, 0);
  const impatient = openPool(url, { query_timeout: 300 });
  const client = await impatient.connect();
  let migrating: Promise<unknown> = Promise.resolve();
  await whileOthersWrite(schema, async () => {
    migrating = migrate(client, createQueryBuilder(schema), {}, steps).finally(() => client.release());
    const waitsLonger = `select from pg_stat_activity where now() - query_start > interval '400 ms'
      and query like 'create index concurrently%built_slowly%' and wait_event_type = 'Lock'`;
    await waitUntil(async () => (await pool.query(waitsLonger)).rows.length > 0);
  });
  await migrating;
  expect(await indexesOf(schema)).toEqual(['versions_by_type valid']);
});

test.each([0, 2])(
  'what is left of an index whose process was killed is built again, with %i partitions',
  async (partitions) => {
    const schema = `killed_${partitions}`;
    await openFilled(schema, partitions);
    await whileOthersWrite(schema, async () => {
      const killed = expect(migrateLater(schema)).rejects.toThrow('terminating connection');
      let pids: readonly number[] = [];
      await waitUntil(async () => {
        pids = await findWaiting(schema);
        return pids.length > 0;
      });
      await pool.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids]);
      await killed;
    });
    expect(await indexesOf(schema)).toContainEqual(expect.stringContaining(' invalid'));
    expect(await versionsOf(schema)).toEqual(versionsBefore);
    await migrateLater(schema);
    expect(await indexesOf(schema)).not.toContainEqual(expect.stringContaining(' invalid'));
    expect(await versionsOf(schema)).toEqual([...versionsBefore, lastVersion]);
  },
);

test.each([0, 2])('the SQL of migrations builds an index by hand, with %i partitions', async (partitions) => {
  const [byHand, byStore] = [`by_hand_${partitions}`, `by_store_${partitions}`];
  const statements = formatMigrations(
    createQueryBuilder(byHand),
    { partitions, isDistributed: false },
    { steps },
  );
  // A transaction, and statements outside of one.
  for (const part of statements.split(/^(begin;\n[\s\S]*?\ncommit;)$/m))
    for (const text of part.startsWith('begin') ? [part] : part.split(';\n')) await pool.query(text);
  await openFilled(byStore, partitions);
  await migrateLater(byStore);
  expect(await indexesOf(byHand)).toEqual(await indexesOf(byStore));
  expect(await versionsOf(byHand)).toEqual([...versionsBefore, lastVersion]);
});

test('a step waits for a dump without a lock behind which all others would wait', async () => {
  const schema = 'dumped';
  await write(openPostgresStore({ pool, schema }), change());
  const column: Migration = ({ table }) => [sql`alter table ${table('records')} add column later text`];
  const [dump, client, reader] = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
  await dump.query(`begin; select from ${schema}.records`);
  const migrating = migrate(client, createQueryBuilder(schema), {}, [...migrations, column]);
  const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table "dumped"%'`;
  await waitUntil(async () => (await pool.query(isWaiting)).rows.length > 0);
  await waitUntil(async () => (await pool.query(isWaiting)).rows.length === 0);
  // It does not wait for the dump, which is still open.
  await reader.query(`begin; select from ${schema}.records; commit`);
  expect(await versionsOf(schema)).toEqual(versionsBefore);
  await dump.query('commit');
  await migrating;
  for (const used of [dump, client, reader]) used.release();
  expect(await versionsOf(schema)).toEqual([...versionsBefore, lastVersion]);
});
