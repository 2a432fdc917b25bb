import type { ClinicalStore } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import {
  createTenant,
  fromPg,
  fromQuery,
  inTransaction,
  migrationSql,
  openPostgresStore,
  removeTenant,
} from '../../src/index.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';
import { newPool, newUser } from './databases.ts';

const owners = await newPool();
/** The rights of one more user on the tables that exist. */
const grantsFor = (user: string) =>
  migrationSql({ user })
    .split('\n')
    .filter((line) => line.startsWith('grant'))
    .join('\n');

const guarded = await newUser(owners, 'guarded', (user) => migrationSql({ user, rowSecurity: true }), {
  pipeline: true,
});
const open = async (tenant: string): Promise<ClinicalStore> => {
  await createTenant({ pool: owners, tenant });
  return openPostgresStore({ pool: guarded, tenant });
};
const [north, south] = [await open('north'), await open('south')];
await write(north, change({ patientId: 'of north' }));
await write(south, change({ patientId: 'of south' }));

const patients = async (setting: string): Promise<readonly string[]> => {
  const client = await guarded.connect();
  try {
    await client.query(`begin; ${setting}`);
    return (await client.query('select patient_id from clinical_records.versions')).rows.map(
      ({ patient_id }) => patient_id,
    );
  } finally {
    await client.query('rollback');
    client.release();
  }
};

test('PostgreSQL shows a statement without a condition the rows of the tenant that its transaction names', async () => {
  expect(await patients("set local clinical_records.tenant = '1'")).toEqual(['of north']);
  expect(await patients("set local clinical_records.tenant = '2'")).toEqual(['of south']);
  expect(await patients("set local clinical_records.tenant = '9'")).toEqual([]);
});

test('a transaction that names no tenant gets one error, on a connection that is new and on one that has named some before', async () => {
  const fresh = await newUser(owners, 'fresh', grantsFor, { max: 1 });
  const refusal = {
    code: '42501',
    message:
      'This transaction names no tenant. Begin it with: set local clinical_records.tenant = its number.',
  };
  const tables = ['versions', 'searchable', 'head', 'tenants'];
  const readAll = async () => {
    for (const table of tables)
      await expect(fresh.query(`select from clinical_records.${table}`)).rejects.toMatchObject(refusal);
  };
  await readAll();
  await fresh.query(`begin; set local clinical_records.tenant = '1'; commit`);
  await readAll();
});

test('a user sees only the name of the tenant that the transaction names, and finds the number of a tenant by its name', async () => {
  const client = await guarded.connect();
  await client.query("begin; set local clinical_records.tenant = '2'");
  const { rows } = await client.query('select name from clinical_records.tenants');
  await client.query('rollback');
  client.release();
  expect(rows).toEqual([{ name: 'south' }]);
  const { rows: found } = await guarded.query(
    `select clinical_records.tenant_number('north') as north, clinical_records.tenant_number('west') as west`,
  );
  expect(found).toEqual([{ north: 1, west: null }]);
});

test('an open store of a tenant that has been removed is refused all that it reads and writes', async () => {
  const east = await open('east');
  await write(east, change());
  expect(await resultOf(east.read(ref))).toMatchObject({ version: 1 });
  await removeTenant({ pool: owners, tenant: 'east' });
  const gone = { left: { _tag: 'Misuse', message: 'The schema clinical_records has no tenant east.' } };
  expect(await east.read(ref)).toMatchObject(gone);
  expect(await east.commit({ changes: [change({ id: 'b' })], versionChecks: [] })).toMatchObject(gone);
});

test('a statement cannot write rows of another tenant', async () => {
  const client = await guarded.connect();
  await client.query("begin; set local clinical_records.tenant = '1'");
  const insert = "insert into clinical_records.counts (tenant, type, readable) values (2, 'Goal', 1)";
  await expect(client.query(insert)).rejects.toThrow('row-level security');
  await client.query('rollback');
  client.release();
});

test('stores of several tenants share the connections, at the same time', async () => {
  const stores = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? north : south));
  const read = await Promise.all(
    stores.map((store) => store.read(ref).then((found) => resultOf(Promise.resolve(found)))),
  );
  expect(read.map((record) => record?.patientId)).toEqual(
    stores.map((store) => (store === north ? 'of north' : 'of south')),
  );
});

test.each([
  ['a client of pg', fromPg],
  [
    'a tool',
    (client: Parameters<typeof fromPg>[0]) =>
      fromQuery(client, async (text, values) => (await client.query({ text, values: [...values] })).rows),
  ],
] as const)('a transaction of %s writes for several tenants in turn', async (name, from) => {
  const client = await guarded.connect();
  await client.query('begin');
  const tx = from(client);
  for (const id of ['x', 'y'])
    for (const store of [north, south]) {
      await write(tx.join(store), change({ id: `${name} ${id}` }));
      expect(await resultOf(tx.join(store).read(ref))).toMatchObject({
        patientId: store === north ? 'of north' : 'of south',
      });
    }
  await client.query('commit');
  client.release();
  for (const store of [north, south]) {
    const feed = await resultOf(store.changesSince({ limit: 100 }));
    expect(feed.map(({ position }) => position)).toEqual(feed.map((_, at) => `${at + 1}`));
    expect(feed.slice(-2).map(({ id }) => id)).toEqual([`${name} x`, `${name} y`]);
  }
});

test('a transaction of the library names the tenant, too', async () => {
  const client = await guarded.connect();
  await inTransaction(client, async (tx) => {
    await write(tx.join(north), change({ id: 'z' }));
    await write(tx.join(south), change({ id: 'z' }));
  });
  client.release();
  expect(await resultOf(north.read({ ...ref, id: 'z' }))).toMatchObject({ version: 1 });
});
