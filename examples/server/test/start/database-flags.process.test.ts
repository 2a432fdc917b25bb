import { join } from 'node:path';
import {
  createDatabase,
  findPgBouncer,
  startPgBouncer,
  startPostgres,
  startStandby,
} from '@clinical-records/testing-postgres';
import pg from 'pg';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { parseFlags } from '../../command/flags.ts';
import { type DatabaseLocation, serversOf } from '../../open/data-location.ts';
import { openDatabase } from '../../open/open-database.ts';
import { useRecords } from '../../open/use-records.ts';
import { runHere } from '../run-here.ts';
import { endAll, newFolder, startServer } from '../running-server.ts';

afterAll(endAll);

const newDatabase = async (): Promise<string> => {
  const database = await createDatabase(inject('postgresUrl'));
  onTestFinished(database.drop);
  return database.url;
};

const query = async (connectionString: string, sql: string): Promise<readonly unknown[]> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return (await client.query({ text: sql, rowMode: 'array' }).finally(() => client.end())).rows.flat();
};

const openStore = async (...args: readonly string[]) => {
  const store = await openDatabase(parseFlags(args).data as DatabaseLocation);
  onTestFinished(store.close);
  return store;
};

const people = (...args: readonly string[]) =>
  useRecords(parseFlags(args).data, async ({ directory }) => {
    await directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
    return directory.read('Patient', 'amy');
  });

test('a tenant has only its own records, and is created only if that is asked for', async () => {
  const database = ['--database', await newDatabase()];
  const unknown = await runHere(...database, '--tenant', 'north', '--verify');
  expect([unknown.code, unknown.err]).toEqual([
    3,
    expect.stringMatching(
      /^clinical-records: cannot open .* \(schema clinical_records, tenant north\): .*\n$/,
    ),
  ]);
  const server = await startServer(
    [...database, '--tenant', 'north', '--create-tenant', '--audit'],
    await newFolder(),
  );
  expect((await server.get('/Goal')).body).toMatchObject({ total: 0 });
  expect(await server.stop()).toBe(0);
  const again = await runHere(...database, '--tenant', 'north', '--create-tenant', '--port', '0');
  expect([again.code, again.err]).toEqual([3, expect.stringContaining('has a tenant north already')]);

  await people(...database, '--tenant', 'north');
  const records = async (...args: readonly string[]) => (await runHere(...database, ...args, '--verify')).out;
  expect(await records('--tenant', 'north')).toMatch(/\nrecords: [1-9]/);
  expect(await records()).toMatch(/\nrecords: 0\n/);
  const audit = join(await newFolder(), 'audit.ndjson');
  expect((await runHere(...database, '--tenant', 'north', '--export-audit', audit)).code).toBe(0);
});

test('of several hosts, the primary is written, also after a failover, and a replica is read between the two', async () => {
  const primary = await startPostgres();
  const standby = await startStandby(primary);
  onTestFinished(async () => {
    await standby.stop();
    await primary.stop();
  });
  const [host, other] = [primary, standby].map(({ url }) => new URL(url).host);
  const url = primary.url.replace(host ?? '', `${other},${host}`);
  expect(serversOf(url)).toEqual([standby.url, primary.url]);
  const store = await openStore('--database', url, '--replica', standby.url);
  const write = async () => {
    const change = {
      type: 'Patient',
      id: 'amy',
      patientId: 'amy',
      at: 1,
      by: null,
      state: '{}',
      resource: '{}',
    };
    const changes = [{ ...change, index: [], expects: { _tag: 'Any' } as const }];
    return (await store.commit({ changes, versionChecks: [] }))._tag;
  };
  expect(await write()).toBe('Right');
  expect(await store.isReadOnly?.()).toBe(false);
  const read = async () => (await store.readResource({ type: 'Patient', id: 'amy' }))._tag;
  await expect.poll(read).toBe('Right');

  await query(primary.url, `alter system set synchronous_standby_names = ''`);
  await primary.kill();
  await expect.poll(read).toBe('Right');
  expect(await write()).toBe('Left');
  await standby.promote();
  await expect.poll(write).toBe('Right');
  expect(await query(standby.url, 'select max(version) from clinical_records.versions')).toEqual([2]);
});

test('--pool is the most connections of a process', async () => {
  const url = await newDatabase();
  const store = await openStore('--database', url, '--pool', '3');
  const condition = { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] } as const;
  const search = { type: 'Goal', conditions: [condition], start: { offset: 0 }, count: 1, withTotal: true };
  const found = await Promise.all(Array.from({ length: 20 }, () => store.search(search)));
  expect(new Set(found.map(({ _tag }) => _tag))).toEqual(new Set(['Right']));
  const count = `select count(*)::integer from pg_stat_activity
    where datname = current_database() and application_name = 'clinical-records'`;
  const [connections] = await query(url, count);
  expect(connections).toBeGreaterThan(1);
  expect(connections).toBeLessThanOrEqual(3);
});

test.skipIf(findPgBouncer() === null)('--unprepared prepares no statement in a pooler', async () => {
  const serverUrl = await newDatabase();
  const pgBouncer = await startPgBouncer(serverUrl, { settings: { default_pool_size: '1' } });
  onTestFinished(pgBouncer.stop);
  const { url } = pgBouncer;
  const read = async (...flags: readonly string[]) => {
    const store = await openStore('--database', url, ...flags);
    return Promise.all(
      Array.from({ length: 10 }, (_, n) => store.readResource({ type: 'Goal', id: `${n}` })),
    );
  };
  const prepared = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('select count(*)::integer as count from pg_prepared_statements');
    await client.end();
    return rows[0].count;
  };
  expect((await read('--unprepared')).every(({ _tag }) => _tag === 'Right')).toBe(true);
  expect(await prepared()).toBe(0);
  await read();
  expect(await prepared()).toBeGreaterThan(0);
});
