import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClinicalStore, erasedState, exactVersion } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { createTenant, inTransaction, openPostgresStore } from '../../src/index.ts';
import { wrapPool } from '../host/wrap-pool.ts';
import { change, resultOf, sqlOf, write } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';

const pool = await newPool({ pipeline: true });

/** Runs work as if no transaction had called it. */
const inAnotherRequest = AsyncLocalStorage.snapshot();

const codeEntry = { kind: 'token', parameter: 'description', system: '', code: 'secret' } as const;
const secret = change({ state: '{"secret":1}', resource: '{"secret":1}', index: [codeEntry] });

const erasure = change({
  ...{ state: '{"isErased":true}', resource: null },
  ...{ expects: exactVersion(2), priorStates: [1, 2].map(() => erasedState('0'.repeat(64))) },
});

const indexOf = (id: string, version: number) => ({
  changes: [],
  versionChecks: [],
  reindexing: { records: [{ type: 'Goal', id, expects: exactVersion(version), index: [codeEntry] }] },
});

/** The tables that have a text. */
const tablesWith = async (text: string, schema: string): Promise<readonly string[]> => {
  const { rows } = await pool.query(
    "select relname from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'p') order by relname",
    [schema],
  );
  const found: string[] = [];
  for (const { relname } of rows) {
    const { rows: content } = await pool.query(`select * from ${schema}.${relname}`);
    if (JSON.stringify(content).includes(text)) found.push(relname);
  }
  return found;
};

const findSecret = async (store: ClinicalStore) => {
  const condition = {
    on: 'token',
    parameter: 'description',
    anyOf: [{ system: null, code: 'secret' }],
  } as const;
  const query = { type: 'Goal', conditions: [condition], start: { offset: 0 }, count: 10, withTotal: true };
  return (await resultOf(store.search(query))).matches.map(({ id }) => id);
};

test.each([0, 2])('no table has an erased text, with %i partitions', async (partitions) => {
  const schema = `erased_${partitions}`;
  const store = openPostgresStore({ pool, schema, partitions });
  await write(store, secret);
  await write(store, { ...secret, patientId: 'q' });
  expect(await tablesWith('secret', schema)).toContain('terms');
  await write(store, { ...erasure, patientId: 'q' });
  expect(await tablesWith('secret', schema)).toEqual([]);
});

test.each([0, 2])(
  'an erasure is possible while a publication has all tables, with %i partitions',
  async (partitions) => {
    const published = await newPool({ pipeline: true });
    const store = openPostgresStore({ pool: published, partitions });
    await write(store, secret);
    await write(store, secret);
    await published.query('create publication everything for all tables');
    await write(store, erasure);
    expect((await published.query('select code from clinical_records.terms')).rows).toEqual([]);
  },
);

test('an erasure in a transaction of the host is refused, and so is new index entries of records', async () => {
  const schema = 'erased_by_host';
  const store = openPostgresStore({ pool, schema });
  await write(store, secret);
  await write(store, secret);
  const client = await pool.connect();
  const before = await tablesWith('secret', schema);
  await inTransaction(client, async (tx) => {
    const refused = {
      left: { _tag: 'Misuse', message: expect.stringContaining('on the records themselves') },
    };
    expect(await tx.join(store).commit({ changes: [erasure], versionChecks: [] })).toMatchObject(refused);
    expect(await tx.join(store).commit(indexOf('a', 2))).toMatchObject(refused);
  });
  client.release();
  expect(await tablesWith('secret', schema)).toEqual(before);
  await write(store, erasure);
  expect(await tablesWith('secret', schema)).toEqual([]);
});

test('another store writes index entries again that an erasure has deleted, and all stores find them', async () => {
  const schema = 'erased_by_another';
  const [one, other] = [openPostgresStore({ pool, schema }), openPostgresStore({ pool, schema })];
  await write(one, secret);
  await write(other, secret);
  await write(one, erasure);
  await write(other, { ...secret, id: 'b' });
  expect([await findSecret(one), await findSecret(other)]).toEqual([['b'], ['b']]);
  await write(one, { ...secret, id: 'c' });
  expect(await findSecret(other)).toEqual(['b', 'c']);
});

test('a COMMIT fails if an erasure has deleted what its index needs, and the same transaction then succeeds', async () => {
  const schema = 'erased_beside_host';
  const store = openPostgresStore({ pool, schema });
  // The same term of another tenant does not count.
  await createTenant({ pool, schema, tenant: 'other' });
  await write(openPostgresStore({ pool, schema, tenant: 'other' }), secret);
  await write(store, secret);
  await write(store, secret);
  const client = await pool.connect();
  const run = (meanwhile: () => Promise<unknown>) =>
    inTransaction(client, async (tx) => {
      await write(tx.join(store), { ...secret, id: 'b' });
      await client.query('savepoint undone');
      await write(tx.join(store), { ...secret, id: 'c', index: [{ ...codeEntry, code: 'undone' }] });
      await client.query('rollback to savepoint undone');
      await inAnotherRequest(meanwhile);
    });
  await expect(run(() => write(store, erasure))).rejects.toMatchObject({
    tag: 'StoreFailure',
    issues: [{ rule: 'store-locked' }],
  });
  expect(await findSecret(store)).toEqual([]);
  await run(async () => {});
  client.release();
  expect(await findSecret(store)).toEqual(['b']);
  expect(await tablesWith('undone', schema)).toEqual([]);
});

test('an index entry that is written again is found, although an erasure has deleted its term meanwhile', async () => {
  const schema = 'erased_beside_reindexing';
  const store = openPostgresStore({ pool, schema });
  await write(store, secret);
  await write(store, secret);
  await write(store, change({ id: 'b' }));
  const interrupted = openPostgresStore({
    schema,
    pool: wrapPool(pool, async (client, query) => {
      if (sqlOf(query).startsWith('with given')) await write(store, erasure);
      return client.query(query);
    }),
  });
  await resultOf(interrupted.commit(indexOf('b', 1)));
  expect(await findSecret(store)).toEqual(['b']);
});
