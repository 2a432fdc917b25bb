import { createClinicalRecords } from '@clinical-records/core';
import { type ClinicalStore, erasedState, exactVersion, noVersion } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { left } from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import {
  createTenant,
  fromPg,
  fromQuery,
  inTransaction,
  listTenants,
  openPostgresStore,
  removeTenant,
  setTenantReadOnly,
} from '../../src/index.ts';
import { tenantTables } from '../../src/tables/migrations.ts';
import { change, ref, resultOf, write } from '../store-helpers.ts';
import { newPool } from './databases.ts';

const pool = await newPool({ pipeline: true, max: 10 });
let tenants = 0;

const openTenant = async () => {
  const tenant = `clinic-${++tenants}`;
  await createTenant({ pool, tenant });
  return { tenant, store: openPostgresStore({ pool, tenant }) };
};

const index = [
  { kind: 'token', parameter: 'status', system: '', code: 'active' },
  { kind: 'date', parameter: 'due', from: 1, until: 2 },
] as const;

const feedOf = async (store: ClinicalStore) =>
  (await resultOf(store.changesSince({ limit: 10 }))).map(({ id, position }) => [id, position]);

const countOf = async (store: ClinicalStore) => {
  const query = { type: ref.type, conditions: [], start: { offset: 0 }, count: 10, withTotal: true };
  return (await resultOf(store.search(query))).total;
};

/** The tables that have rows of a tenant. */
const tablesWith = async (number: number): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const table of tenantTables) {
    const { rowCount } = await pool.query(`select from clinical_records.${table} where tenant = $1`, [
      number,
    ]);
    if (rowCount !== 0) found.push(table);
  }
  return found;
};

const numberOf = async (tenant: string): Promise<number> =>
  (
    await pool.query('select tenant from clinical_records.tenants where name = $1 and removed is null', [
      tenant,
    ])
  ).rows[0].tenant;

const refused = (message: string) => left({ _tag: 'Misuse', message });
const unknown = (tenant: string) => `The schema clinical_records has no tenant ${tenant}.`;
const misspelt = (tenant: string) =>
  `${unknown(tenant)} Create it with createTenant, unless its name is misspelt.`;

const namesOf = async (tables: Parameters<typeof listTenants>[0]) =>
  (await listTenants(tables)).map(({ name }) => name);

test('each tenant has its own records, feed, counts and indexed parameters', async () => {
  const [one, other] = [await openTenant(), await openTenant()];
  await write(one.store, change({ index }));
  await write(one.store, change({ id: 'b' }));
  await write(other.store, change({ patientId: 'q', state: '{"other":1}', index }));
  expect(await feedOf(one.store)).toEqual([
    ['a', '1'],
    ['b', '2'],
  ]);
  expect(await feedOf(other.store)).toEqual([['a', '1']]);
  expect([await countOf(one.store), await countOf(other.store)]).toEqual([2, 1]);
  expect(await resultOf(other.store.read(ref))).toMatchObject({ patientId: 'q', state: '{"other":1}' });
  const parameters = { 'Goal.code': 'x' };
  await resultOf(
    one.store.commit({ changes: [], versionChecks: [], reindexing: { records: [], parameters } }),
  );
  expect(await resultOf(one.store.indexedParameters())).toEqual(parameters);
  expect(await resultOf(other.store.indexedParameters())).toEqual({});
});

test('a store without a tenant is that of the first, `default`', async () => {
  await write(openPostgresStore({ pool }), change({ id: 'of the first' }));
  const first = openPostgresStore({ pool, tenant: 'default' });
  expect(await resultOf(first.read({ ...ref, id: 'of the first' }))).toMatchObject({ version: 1 });
});

test('a tenant that nobody has created is refused, and so opens no empty clinic', async () => {
  const store = openPostgresStore({ pool, tenant: 'clinic-X' });
  expect(await store.read(ref)).toEqual(refused(misspelt('clinic-X')));
  expect(await store.commit({ changes: [change()], versionChecks: [] })).toEqual(
    refused(misspelt('clinic-X')),
  );
  const client = await pool.connect();
  await inTransaction(client, async (tx) => {
    expect(await tx.join(openPostgresStore({ pool, tenant: 'clinic-X' })).read(ref)).toEqual(
      refused(misspelt('clinic-X')),
    );
  });
  client.release();
  await createTenant({ pool, tenant: 'clinic-X' });
  expect(await write(store, change())).toEqual([1]);
});

test('a tenant is created once', async () => {
  const { tenant } = await openTenant();
  await expect(createTenant({ pool, tenant })).rejects.toThrow(
    `The schema clinical_records has a tenant ${tenant} already.`,
  );
  const found = await namesOf({ pool });
  expect(found).toContain(tenant);
  expect(found).toEqual([...found].sort());
});

test('tenants that are created at once have numbers of their own', async () => {
  const created = await Promise.all(Array.from({ length: 8 }, openTenant));
  const numbers = await Promise.all(created.map(({ tenant }) => numberOf(tenant)));
  expect(new Set(numbers).size).toBe(8);
});

test('tenants are listed with their size and their last write', async () => {
  const tables = { pool, schema: 'sizes' };
  for (const tenant of ['small', 'empty']) await createTenant({ ...tables, tenant });
  const store = openPostgresStore({ ...tables, tenant: 'small' });
  for (const version of [{ at: 1_000 }, { at: 2_000 }, { id: 'b', at: 3_000, resource: null }])
    await write(store, change(version));
  await setTenantReadOnly({ ...tables, tenant: 'small', isReadOnly: true });
  const none = { versions: 0, records: 0, lastWrite: null, isReadOnly: false };
  expect(await listTenants(tables)).toEqual([
    { name: 'default', ...none },
    { name: 'empty', ...none },
    { name: 'small', versions: 3, records: 1, lastWrite: 3_000, isReadOnly: true },
  ]);
});

test('a schema without tables has no tenants, and the first one creates them', async () => {
  expect(await listTenants({ pool, schema: 'new_schema' })).toEqual([]);
  await createTenant({ pool, schema: 'new_schema', tenant: 'north' });
  expect(await namesOf({ pool, schema: 'new_schema' })).toEqual(['default', 'north']);
});

test.each(['', 'a b', 'ä', 'clinic_7', 'x'.repeat(65)])('a tenant cannot be named %j', async (tenant) => {
  const sentence = '`tenant` must be a name of 1 to 64 letters, digits and hyphens, such as clinic-7.';
  expect(() => openPostgresStore({ pool, tenant })).toThrow(sentence);
  await expect(createTenant({ pool, tenant })).rejects.toThrow(sentence);
  await expect(removeTenant({ pool, tenant })).rejects.toThrow(sentence);
});

test('a tenant is removed with all that it has, and its name is free again', async () => {
  const [removed, other] = [await openTenant(), await openTenant()];
  for (const { store } of [removed, other]) {
    await write(store, change({ index }));
    await resultOf(
      store.commit({
        changes: [],
        versionChecks: [],
        reindexing: { records: [], parameters: { 'Goal.code': 'x' } },
      }),
    );
  }
  const [number, numberOfOther] = [await numberOf(removed.tenant), await numberOf(other.tenant)];
  const tables = await tablesWith(numberOfOther);
  expect(tables).toEqual(tenantTables.filter((table) => table !== 'host_transactions'));
  await removeTenant({ pool, tenant: removed.tenant });
  expect(await tablesWith(number)).toEqual([]);
  expect(await tablesWith(numberOfOther)).toEqual(tables);
  await expect(removeTenant({ pool, tenant: removed.tenant })).rejects.toThrow(misspelt(removed.tenant));
  await createTenant({ pool, tenant: removed.tenant });
  const again = openPostgresStore({ pool, tenant: removed.tenant });
  expect(await resultOf(again.read(ref))).toBeNull();
  expect(await numberOf(removed.tenant)).toBeGreaterThan(numberOfOther);
});

/** All that a store can be asked for, once and together with the same by others. */
const reads: Record<string, (store: ClinicalStore) => Promise<unknown>> = {
  read: (store) => store.read(ref),
  'reads at once': (store) => Promise.all([store.read(ref), store.read(ref)]).then(([first]) => first),
  readResource: (store) => store.readResource(ref),
  readVersion: (store) => store.readVersion({ ...ref, version: 1 }),
  history: (store) => store.history({ ...ref, limit: 1 }),
  changesSince: (store) => store.changesSince({ limit: 1 }),
  feedEnd: (store) => store.feedEnd(),
  scan: (store) => store.scan({ limit: 1 }),
  indexedParameters: (store) => store.indexedParameters(),
};

const status = { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] } as const;
const patient = { on: 'patient', anyOf: ['p'] } as const;

const searches = {
  'of a type': [],
  'of a chart': [patient],
  'by a code': [status],
  'by both': [patient, status],
};

for (const [name, conditions] of Object.entries(searches)) {
  const query = { type: ref.type, conditions, start: { offset: 0 }, count: 10, withTotal: true };
  reads[`a search ${name}`] = (store) => store.search(query);
  reads[`searches ${name} at once`] = (store) =>
    Promise.all([store.search(query), store.search(query)]).then(([first]) => first);
}

for (const on of ['at', 'date'] as const) {
  const query = { type: ref.type, conditions: [patient], start: { offset: 0 }, count: 10, withTotal: true };
  const order = { on, parameter: 'date', isDescending: true } as const;
  reads[`a search of a chart in the order of ${on}`] = async (store) =>
    store.searchInOrder?.({ ...query, order });
}

/** How a store is asked: as it is, in a transaction of its host, or on standbys, too. */
const ways: Readonly<
  Record<string, (tenant: string, work: (store: ClinicalStore) => Promise<void>) => Promise<void>>
> = {
  'an open store': async (tenant, work) => work(openPostgresStore({ pool, tenant })),
  'one without prepared statements': async (tenant, work) =>
    work(openPostgresStore({ pool, tenant, preparedStatements: false })),
  'one that reads replicas': async (tenant, work) =>
    work(openPostgresStore({ pool, tenant, replicas: [pool] })),
  'one in a transaction of a host': async (tenant, work) => {
    const client = await pool.connect();
    await inTransaction(client, (tx) => work(tx.join(openPostgresStore({ pool, tenant }))));
    client.release();
  },
  'one in a transaction of a tool': async (tenant, work) => {
    const client = await pool.connect();
    await client.query('begin');
    // A read that fails would end the transaction.
    const query = async (text: string, values: readonly unknown[]) => {
      await client.query('savepoint asked');
      return client.query(text, [...values]).catch(async (cause: unknown) => {
        await client.query('rollback to savepoint asked');
        throw cause;
      });
    };
    await work(fromQuery(client, query).join(openPostgresStore({ pool, tenant })));
    await client.query('commit');
    client.release();
  },
};

test.each(Object.entries(ways))(
  '%s whose tenant has been removed answers nothing but that, and nothing of a new one',
  async (_, use) => {
    const { tenant, store } = await openTenant();
    await write(store, change({ index }));
    const number = await numberOf(tenant);
    await use(tenant, async (asked) => {
      for (const read of Object.values(reads)) expect(await read(asked)).toMatchObject({ _tag: 'Right' });
      await removeTenant({ pool, tenant });
      const next = await openTenant();
      expect(await numberOf(next.tenant)).toBeGreaterThan(number);
      await write(next.store, change({ index }));
      for (const [name, read] of Object.entries(reads))
        expect([name, await read(asked)]).toEqual([name, refused(unknown(tenant))]);
    });
  },
);

test('a store whose tenant has been removed refuses to write, and writes nothing', async () => {
  const { tenant, store } = await openTenant();
  await write(store, change({ index }));
  const number = await numberOf(tenant);
  await removeTenant({ pool, tenant });
  const create = { changes: [change({ id: 'b', index })], versionChecks: [] };
  const update = { changes: [change({ expects: exactVersion(1) })], versionChecks: [] };
  expect(await store.commit(create)).toEqual(refused(unknown(tenant)));
  expect(await store.commit(create)).toEqual(refused(unknown(tenant)));
  expect(await store.commit(update)).toEqual(refused(unknown(tenant)));
  const client = await pool.connect();
  await expect(inTransaction(client, (tx) => write(tx.join(store), change({ id: 'c' })))).rejects.toThrow();
  client.release();
  expect(await tablesWith(number)).toEqual([]);
});

describe('a tenant that is read-only', () => {
  const readOnly = (tenant: string) => ({
    left: { _tag: 'NotWritable', message: `The tenant ${tenant} is read-only at the moment.` },
  });

  test('is read, and refuses every write of its open stores and of new ones, until it can be written again', async () => {
    const { tenant, store } = await openTenant();
    await write(store, change({ index }));
    await setTenantReadOnly({ pool, tenant, isReadOnly: true });
    const other = openPostgresStore({ pool, tenant });
    const writes = [store, other].flatMap((on) => [
      on.commit({ changes: [change({ id: 'b', expects: noVersion })], versionChecks: [] }),
      on.commit({ changes: [change({ expects: exactVersion(1) })], versionChecks: [] }),
      on.commitAll([{ changes: [change({ expects: exactVersion(1) })], versionChecks: [] }], []),
      on.commit({
        changes: [],
        versionChecks: [],
        reindexing: { records: [{ ...ref, expects: exactVersion(1), index: [] }] },
      }),
    ]);
    for (const outcome of await Promise.all(writes)) expect(outcome).toMatchObject(readOnly(tenant));
    expect(await feedOf(other)).toEqual([['a', '1']]);
    expect(await resultOf(store.read(ref))).toMatchObject({ version: 1 });
    await write((await openTenant()).store, change());
    await setTenantReadOnly({ pool, tenant, isReadOnly: false });
    expect(await write(store, change({ expects: exactVersion(1) }))).toEqual([2]);
  });

  test('refuses a write in a transaction of a tool, and the COMMIT of one that has written before, which can run again', async () => {
    const { tenant, store } = await openTenant();
    const [early, late] = await Promise.all([pool.connect(), pool.connect()]);
    for (const client of [early, late]) await client.query('begin');
    await write(fromPg(early).join(store), change());
    await setTenantReadOnly({ pool, tenant, isReadOnly: true });
    const outcome = await fromPg(late)
      .join(store)
      .commit({ changes: [change({ id: 'b' })], versionChecks: [] });
    expect(outcome).toMatchObject(readOnly(tenant));
    expect((await late.query('commit')).command).toBe('COMMIT');
    await expect(early.query('commit')).rejects.toMatchObject({ code: '40001' });
    for (const client of [early, late]) client.release();
    expect(await feedOf(store)).toEqual([]);
  });

  test('has nothing in its feed that comes after it is read-only, under writers and transactions of hosts', async () => {
    const { tenant, store } = await openTenant();
    let isOver = false;
    const writeUntilOver = async (name: string): Promise<readonly string[]> => {
      const written: string[] = [];
      for (let nth = 0; !isOver; nth += 1) {
        const id = `${name}-${nth}`;
        const outcome = await store.commit({ changes: [change({ id })], versionChecks: [] });
        if (outcome._tag === 'Right') written.push(id);
        else expect(outcome).toMatchObject(readOnly(tenant));
      }
      return written;
    };
    const hostUntilOver = async (name: string): Promise<readonly string[]> => {
      const written: string[] = [];
      for (let nth = 0; !isOver; nth += 1) {
        const client = await pool.connect();
        const id = `${name}-${nth}`;
        await inTransaction(client, (tx) => write(tx.join(store), change({ id }))).then(
          () => written.push(id),
          () => {},
        );
        client.release();
      }
      return written;
    };
    const writers = [writeUntilOver('a'), writeUntilOver('b'), hostUntilOver('c'), hostUntilOver('d')];
    const ids = async () =>
      (await resultOf(store.changesSince({ limit: 100_000 }))).map(({ id }) => id).toSorted();
    await expect.poll(async () => (await ids()).length, { timeout: 30_000 }).toBeGreaterThan(20);
    await setTenantReadOnly({ pool, tenant, isReadOnly: true });
    const end = await resultOf(store.feedEnd());
    await new Promise((resolve) => setImmediate(resolve));
    isOver = true;
    const written = (await Promise.all(writers)).flat();
    expect(await resultOf(store.feedEnd())).toEqual(end);
    expect(await ids()).toEqual(written.toSorted());
  });

  test('must exist', async () => {
    await expect(setTenantReadOnly({ pool, tenant: 'nobody', isReadOnly: true })).rejects.toThrow(
      misspelt('nobody'),
    );
  });
});

test('all tenants share the prepared statements of a connection', async () => {
  const single = await newPool({ max: 1 });
  for (const tenant of ['north', 'south']) await createTenant({ pool: single, tenant });
  const use = async (tenant: string): Promise<number> => {
    const store = openPostgresStore({ pool: single, tenant });
    await write(store, change({ index }));
    await resultOf(store.read(ref));
    await countOf(store);
    const { rows } = await single.query('select count(*)::integer as count from pg_prepared_statements');
    return rows[0].count;
  };
  const first = await use('north');
  expect(first).toBeGreaterThan(4);
  expect(await use('south')).toBe(first);
});

test('the reads of all tenants at one time share a connection', async () => {
  const shared = await newPool({ pipeline: true, max: 10 });
  const stores = ['north', 'south', 'east'].map((tenant) => openPostgresStore({ pool: shared, tenant }));
  for (const tenant of ['north', 'south', 'east']) await createTenant({ pool: shared, tenant });
  for (const [at, store] of stores.entries()) await write(store, change({ state: `{"at":${at}}` }));
  expect(shared.totalCount).toBe(1);
  const read = await Promise.all(stores.map((store) => resultOf(store.read(ref))));
  expect(read.map((record) => record?.state)).toEqual(['{"at":0}', '{"at":1}', '{"at":2}']);
  expect(shared.totalCount).toBe(1);
});

const createRecords = (store: ClinicalStore) =>
  createClinicalRecords({ store, extensionBase: 'https://clinic.example', careTeamRoles: [] });

test('a tenant is copied to another server or a file, and back into another tenant', async () => {
  const [source, elsewhere, target] = [
    (await openTenant()).store,
    createMemoryStore(),
    (await openTenant()).store,
  ];
  const { directory, copyTo } = createRecords(source);
  for (const id of ['amy', 'ben']) await directory.put('Patient', { id, lastName: 'Shaw', firstName: id });
  const { head } = await copyTo(elsewhere);
  expect(await createRecords(elsewhere).copyTo(target)).toMatchObject({ head });
  expect(await createRecords(target).verify({ head })).toMatchObject({ discrepancies: [], miscounted: [] });
});

test('an erasure deletes the terms of its tenant, although another has the same', async () => {
  const [one, other] = [await openTenant(), await openTenant()];
  for (const { store } of [one, other]) await write(store, change({ index }));
  const termsOf = async ({ tenant }: { readonly tenant: string }) =>
    (await pool.query('select from clinical_records.terms where tenant = $1', [await numberOf(tenant)]))
      .rowCount;
  const erased = { resource: null, expects: exactVersion(1), priorStates: [erasedState('0'.repeat(64))] };
  await write(one.store, change(erased));
  expect([await termsOf(one), await termsOf(other)]).toEqual([0, index.length]);
});

test('a transaction of a host counts the records of its tenant, and those of no other', async () => {
  const [one, other] = [await openTenant(), await openTenant()];
  for (const { store } of [one, other]) for (const _ of [1, 2]) await write(store, change());
  await write(one.store, change({ id: 'b' }));
  await write(other.store, change({ id: 'b' }));
  const client = await pool.connect();
  for (const _ of [1, 2])
    await inTransaction(client, (tx) => write(tx.join(one.store), change(), change({ id: 'b' })));
  client.release();
  expect([await countOf(one.store), await countOf(other.store)]).toEqual([2, 2]);
});

test('transactions of a host that write for tenants in different orders place for both of them', async () => {
  const [one, other] = [await openTenant(), await openTenant()];
  const orders = [
    [one.store, other.store],
    [other.store, one.store],
  ];
  const rounds = 10;
  for (let round = 0; round < rounds; round += 1) {
    const clients = await Promise.all(orders.map(() => pool.connect()));
    await Promise.all(
      orders.map(async (stores, at) => {
        const client = clients[at];
        if (client === undefined) return;
        await client.query('begin');
        for (const store of stores) await write(fromPg(client).join(store), change({ id: `${round} ${at}` }));
      }),
    );
    await Promise.all(clients.map((client) => client.query('commit')));
    for (const client of clients) client.release();
  }
  for (const { store } of [one, other]) {
    const feed = await resultOf(store.changesSince({ limit: 100 }));
    expect(feed.map(({ position }) => position)).toEqual(
      Array.from({ length: 2 * rounds }, (_, at) => `${at + 1}`),
    );
    expect(await countOf(store)).toBe(2 * rounds);
  }
});
