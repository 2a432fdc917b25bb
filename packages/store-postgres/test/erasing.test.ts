import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClinicalStore, erasedState, exactVersion } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { inTransaction, openPostgresStore } from '../src/index.ts';
import { newPool } from './databases.ts';
import { change, resultOf, write } from './store-helpers.ts';
import { wrapPool } from './wrap-pool.ts';

const pool = await newPool({ pipeline: true });

/** Runs work as if no transaction had called it. */
const inAnotherRequest = AsyncLocalStorage.snapshot();

const codeEntry = { kind: 'token', parameter: 'description', system: '', code: 'secret' } as const;
const secret = change({ state: '{"secret":1}', resource: '{"secret":1}', index: [codeEntry] });

const erasure = change({
  ...{ state: '{"isErased":true}', resource: null },
  ...{ expects: exactVersion(2), priorStates: [1, 2].map(() => erasedState('0'.repeat(64))) },
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

test('an erasure in a transaction of the host erases when it is committed, and a rollback undoes it', async () => {
  const schema = 'erased_by_host';
  const store = openPostgresStore({ pool, schema });
  await write(store, secret);
  await write(store, secret);
  const client = await pool.connect();
  const before = await tablesWith('secret', schema);
  const rolledBack = inTransaction(client, async (tx) => {
    await write(tx.join(store), erasure);
    throw new Error('undone');
  });
  await expect(rolledBack).rejects.toThrow('undone');
  expect(await tablesWith('secret', schema)).toEqual(before);
  await inTransaction(client, async (tx) => {
    await write(tx.join(store), erasure);
    await write(tx.join(store), change({ id: 'after' }));
  });
  client.release();
  expect(await tablesWith('secret', schema)).toEqual([]);
  await write(store, { ...secret, id: 'b' });
  expect(await findSecret(store)).toEqual(['b']);
});

const totalOf = async (store: ClinicalStore) => {
  const query = { type: 'Goal', conditions: [], start: { offset: 0 }, count: 10, withTotal: true };
  return (await resultOf(store.search(query))).total;
};

/** An erasure of a record that has some versions. */
const eraseWith = (id: string, versions: number) => ({
  ...{ ...erasure, id, expects: exactVersion(versions) },
  priorStates: Array.from({ length: versions }, () => erasedState('0'.repeat(64))),
});

test('an erasure in a transaction of the host takes each record off the total once, unless it is undone', async () => {
  const schema = 'counted_by_host';
  const store = openPostgresStore({ pool, schema });
  const ids = ['once', 'updated', 'undone', 'other', 'twice', 'again', 'withdrawn', 'n\u0000', 'n\u0001'];
  for (const id of ids) await write(store, change({ id }));
  await write(store, change({ id: 'unreadable', resource: null }));
  const client = await pool.connect();
  await inTransaction(client, async (tx) => {
    const joined = tx.join(store);
    await write(joined, eraseWith('once', 1));
    await write(joined, change({ id: 'updated' }));
    await write(joined, eraseWith('updated', 2));
    await write(joined, change({ id: 'created' }));
    await write(joined, eraseWith('created', 1));
    await write(joined, eraseWith('unreadable', 1));
    await client.query('savepoint before');
    await write(joined, eraseWith('undone', 1));
    await write(joined, eraseWith('withdrawn', 1));
    await client.query('rollback to savepoint before');
    await write(joined, change({ id: 'withdrawn', resource: null }));
    await write(joined, eraseWith('twice', 1));
    await write(joined, eraseWith('twice', 2));
    await write(joined, eraseWith('again', 1));
    await write(joined, change({ id: 'again' }));
    await write(joined, eraseWith('n\u0000', 1));
    await write(joined, eraseWith('n\u0001', 1));
  });
  client.release();
  expect(await totalOf(store)).toBe(3);
});

test.each([0, 2])(
  'so does one that the host has undone, and another client then did, with %i partitions',
  async (partitions) => {
    const store = openPostgresStore({ pool, schema: `counted_by_both_${partitions}`, partitions });
    for (const id of ['other', 'undone', 'again', 'twice']) await write(store, change({ id }));
    const client = await pool.connect();
    await inTransaction(client, async (tx) => {
      const joined = tx.join(store);
      await client.query('savepoint before');
      for (const id of ['undone', 'again', 'twice']) await write(joined, eraseWith(id, 1));
      await client.query('rollback to savepoint before');
      for (const id of ['undone', 'again', 'twice'])
        await inAnotherRequest(() => write(store, eraseWith(id, 1)));
      await write(joined, change({ id: 'again' }));
      await write(joined, eraseWith('twice', 2));
    });
    client.release();
    expect(await totalOf(store)).toBe(2);
  },
);

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

test('an index entry of a transaction of the host is found, although an erasure has deleted its term meanwhile', async () => {
  const schema = 'erased_beside_host';
  const store = openPostgresStore({ pool, schema });
  await write(store, secret);
  await write(store, secret);
  const client = await pool.connect();
  await inTransaction(client, async (tx) => {
    await write(tx.join(store), { ...secret, id: 'b' });
    await client.query('savepoint undone');
    await write(tx.join(store), { ...secret, id: 'c', index: [{ ...codeEntry, code: 'undone' }] });
    await client.query('rollback to savepoint undone');
    await inAnotherRequest(() => write(store, erasure));
  });
  client.release();
  expect(await findSecret(store)).toEqual(['b']);
  expect(await tablesWith('undone', schema)).toEqual([]);
});

const indexOfB = {
  changes: [],
  versionChecks: [],
  reindexing: { records: [{ type: 'Goal', id: 'b', expects: exactVersion(1), index: [codeEntry] }] },
};

test('an index entry that is written again is found, although an erasure has deleted its term meanwhile', async () => {
  const schema = 'erased_beside_reindexing';
  const store = openPostgresStore({ pool, schema });
  await write(store, secret);
  await write(store, secret);
  await write(store, change({ id: 'b' }));
  const interrupted = openPostgresStore({
    schema,
    pool: wrapPool(pool, async (client, query) => {
      if (query.text.trimStart().startsWith('with given')) await write(store, erasure);
      return client.query(query);
    }),
  });
  await resultOf(interrupted.commit(indexOfB));
  expect(await findSecret(store)).toEqual(['b']);
});

test('so is one of a transaction of the host', async () => {
  const schema = 'erased_beside_reindexing_host';
  const store = openPostgresStore({ pool, schema });
  await write(store, secret);
  await write(store, secret);
  await write(store, change({ id: 'b' }));
  const client = await pool.connect();
  await inTransaction(client, async (tx) => {
    await resultOf(tx.join(store).commit(indexOfB));
    await inAnotherRequest(() => write(store, erasure));
  });
  client.release();
  expect(await findSecret(store)).toEqual(['b']);
});
