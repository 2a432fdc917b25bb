import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { erasedState, exactVersion } from '@clinical-records/core/store';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createTenant,
  fromPg,
  inTransaction,
  listTenants,
  migrationSql,
  openPostgresAuditStore,
  openPostgresStore,
  removeTenant,
} from '../../src/index.ts';
import { tenantTables } from '../../src/tables/migrations.ts';
import { change, ref, resultOf, write, writeAndUndo } from '../store-helpers.ts';
import { openPool } from './databases.ts';

const erasedStateOf = (digit: string) => erasedState(digit.repeat(64));

const url = process.env.CITUS_URL;
const schema = `citus_${process.pid}`;

/** `npm run test:citus` runs it, with the URL of a coordinator in `CITUS_URL`. */
describe.skipIf(url === undefined)('on Citus', async () => {
  if (url === undefined) return;
  const pool = openPool(url, { pipeline: true, max: 10, options: '-c citus.shard_count=4' });
  afterAll(() => pool.query(`drop schema ${schema} cascade`));
  await openPostgresStore({ pool, schema, distributed: true }).migrate();
  const open = async (tenant: string) => {
    await createTenant({ pool, schema, tenant });
    return openPostgresStore({ pool, schema, tenant });
  };
  const openRecords = async (tenant: string) =>
    createClinicalRecords({
      store: await open(tenant),
      extensionBase: 'https://clinic.example',
      careTeamRoles: [],
    });

  test('tenants are spread over the servers, and all rows of one are on the same', async () => {
    for (const tenant of ['a', 'b', 'c', 'd', 'e', 'f']) await write(await open(tenant), change());
    const { rows } = await pool.query(
      `select tenant, count(distinct nodeport)::integer as servers, min(nodeport) as port
        from (
          select tenant, relation::regclass as relation
          from ${schema}.tenants cross join unnest($1::text[]) as relation
        ) as placed
        join citus_shards on table_name = relation
          and shardid = get_shard_id_for_distribution_column(relation, tenant)
        group by tenant`,
      [tenantTables.map((table) => `${schema}.${table}`)],
    );
    expect(rows.map(({ servers }) => servers)).toEqual(rows.map(() => 1));
    expect(new Set(rows.map(({ port }) => port)).size).toBeGreaterThan(1);
  });

  test('a commit of a tenant needs no other server', async () => {
    const log = openPool(url, { max: 1, options: '-c citus.log_remote_commands=on -c citus.shard_count=4' });
    const servers = new Set<string>();
    log.on('connect', (client) => {
      client.on('notice', ({ message = '', detail = '' }) => {
        if (/^issuing (PREPARE|COMMIT)/.test(message)) servers.add(detail.replace(/ connectionId.*/, ''));
      });
    });
    await open('alone');
    const store = openPostgresStore({ pool: log, schema, tenant: 'alone' });
    const index = [{ kind: 'token', parameter: 'status', system: '', code: 'active' }] as const;
    const erased = { resource: null, expects: exactVersion(2), priorStates: ['a', 'b'].map(erasedStateOf) };
    await write(store, change({ index }));
    await write(store, change({ patientId: 'q', index }));
    await write(store, change(erased));
    const client = await log.connect();
    await inTransaction(client, (tx) => write(tx.join(store), change({ id: 'b', index }), change()));
    expect(servers.size).toBe(1);
    client.release();
  });

  test('transactions of a host that write for several tenants place for each, in any order, and undo for each', async () => {
    const [one, other] = [await openRecords('one'), await openRecords('other')];
    const put = async (id: string, clinics: readonly ClinicalRecords[], isUndone = false) => {
      const client = await pool.connect();
      try {
        await inTransaction(client, async (tx) => {
          for (const clinic of clinics)
            await clinic.in(tx).directory.put('Patient', { id, firstName: 'Amy', lastName: 'Shaw' });
          if (isUndone) throw new Error('undone');
        });
      } finally {
        client.release();
      }
    };
    // The first write of a clinic sets its index version.
    for (const clinic of [one, other])
      await clinic.directory.put('Patient', { id: 'first', firstName: 'Ben', lastName: 'Shaw' });
    const rounds = Array.from({ length: 5 }, (_, round) => `${round}`);
    for (const round of rounds)
      await Promise.all([
        put(`x${round}`, [one, other]),
        put(`y${round}`, [other, one]),
        expect(put(`z${round}`, [other, one], true)).rejects.toThrow('undone'),
      ]);
    for (const clinic of [one, other])
      expect(await clinic.verify()).toMatchObject({
        // A patient, and the care team of the patient.
        records: 2 * (1 + 2 * rounds.length),
        discrepancies: [],
        miscounted: [],
      });
  });

  test('a transaction that undoes all that it has written places nothing', async () => {
    const store = await open('savepoint');
    await writeAndUndo(pool, store);
    expect(await resultOf(store.feedEnd())).toBeNull();
    expect(await write(store, change())).toEqual([1]);
  });

  test('a write in a transaction of a tool is refused, because no trigger would place it', async () => {
    const store = await open('tool');
    const client = await pool.connect();
    await client.query('begin');
    const joined = fromPg(client).join(store);
    expect(await joined.commit({ changes: [change()], versionChecks: [] })).toMatchObject({
      left: { _tag: 'Misuse', message: expect.stringContaining('inTransaction') },
    });
    expect(await resultOf(joined.read(ref))).toBeNull();
    await client.query('rollback');
    client.release();
  });

  test('a commit gives up if the end of its feed stays locked, and other tenants go on meanwhile', async () => {
    const [locked, free] = [await open('locked'), await open('free')];
    await write(locked, change());
    const impatient = openPostgresStore({ pool, schema, tenant: 'locked', transactionTimeout: 1000 });
    const client = await pool.connect();
    const { rows } = await pool.query(`select tenant from ${schema}.tenants where name = 'locked'`);
    await client.query('begin');
    await client.query(`select from ${schema}.head where tenant = $1 for update`, [rows[0].tenant]);
    const [late, written] = await Promise.all([
      impatient.commit({ changes: [change({ id: 'b' })], versionChecks: [] }),
      free.commit({ changes: [change()], versionChecks: [] }),
    ]);
    expect(late).toMatchObject({ left: { message: expect.stringContaining('locked') } });
    expect(written).toMatchObject({ right: [1] });
    await client.query('rollback');
    client.release();
    expect(await write(impatient, change({ id: 'b' }))).toEqual([1]);
  });

  test('tables that were distributed by hand serve a user who has no other rights', async () => {
    const byHand = `${schema}_by_hand`;
    await pool.query(`create role ${byHand} login`);
    await pool.query(migrationSql({ schema: byHand, user: byHand, distributed: true }));
    const address = new URL(url);
    address.username = byHand;
    const users = openPool(address.href, { pipeline: true });
    afterAll(() => pool.query(`drop schema ${byHand} cascade; drop owned by ${byHand}; drop role ${byHand}`));
    const store = openPostgresStore({ pool: users, schema: byHand });
    await write(store, change());
    const client = await users.connect();
    const joined = inTransaction(client, (tx) => write(tx.join(store), change({ id: 'b' })));
    await joined.finally(() => client.release());
    const erased = { resource: null, expects: exactVersion(1), priorStates: [erasedStateOf('a')] };
    await write(store, change(erased));
    const feed = await resultOf(store.changesSince({ limit: 10 }));
    expect(feed.map(({ id, position }) => [id, position])).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ]);
    await expect(users.query(`delete from ${byHand}.versions`)).rejects.toThrow('permission denied');
  });

  test('a tenant is removed from all servers', async () => {
    await write(await open('removed'), change());
    await removeTenant({ pool, schema, tenant: 'removed' });
    expect((await listTenants({ pool, schema })).map(({ name }) => name)).not.toContain('removed');
    await createTenant({ pool, schema, tenant: 'removed' });
    expect(await resultOf(openPostgresStore({ pool, schema, tenant: 'removed' }).read(ref))).toBeNull();
  });

  test('an audit log stays on the coordinator', async () => {
    const audit = openPostgresAuditStore({ pool, schema, tenant: 'a' });
    const entry = { at: 1, by: 'Practitioner/1', patientId: 'p', access: '{}' };
    expect(await audit.append([entry])).toMatchObject({ _tag: 'Right' });
    expect(await audit.scan({ after: 0, limit: 10 })).toMatchObject({ right: [entry] });
  });
});
