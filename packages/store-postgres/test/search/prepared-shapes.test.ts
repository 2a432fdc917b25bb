import type { ClinicalStore, DatePrefix, SearchCondition } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { inTransaction, openPostgresStore } from '../../src/index.ts';
import { createPreparedShapes } from '../../src/search/prepared-shapes.ts';
import { change, resultOf, write } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';

const prefixes: readonly DatePrefix[] = ['eq', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap'];

const due = (...anyOf: readonly DatePrefix[]): SearchCondition => ({
  on: 'date',
  parameter: 'due',
  anyOf: anyOf.map((prefix) => ({ prefix, from: 5, until: 6 })),
});

const findAll = async (store: ClinicalStore, ...dates: readonly SearchCondition[]) => {
  const conditions: readonly SearchCondition[] = [{ on: 'patient', anyOf: ['p'] }, ...dates];
  const query = { type: 'Goal', conditions, start: { offset: 0 }, count: 10, withTotal: true };
  return (await resultOf(store.search(query))).matches.map(({ id }) => id);
};

test('a connection keeps few prepared statements, those of frequent shapes, however many shapes searches have', async () => {
  const pool = await newPool({ max: 1 });
  const store = openPostgresStore({ pool });
  await write(store, change({ index: [{ kind: 'date', parameter: 'due', from: 5, until: 6 }] }));
  const countPrepared = async (): Promise<number> =>
    (await pool.query('select count(*)::integer as count from pg_prepared_statements')).rows[0].count;
  const inHostTransaction = async (work: (joined: ClinicalStore) => Promise<unknown>) => {
    const client = await pool.connect();
    await inTransaction(client, (tx) => work(tx.join(store)));
    client.release();
  };

  expect(await findAll(store)).toEqual(['a']);
  await inHostTransaction(findAll);
  const first = await countPrepared();
  const long = Array.from({ length: 9 }, () => due('eq', 'ap'));
  expect(await findAll(store, ...long)).toEqual(['a']);
  expect(await countPrepared()).toBe(first);
  expect(await findAll(store, due('eq'))).toEqual(['a']);
  expect(await countPrepared()).toBe(first + 1);

  const pairs = prefixes.flatMap((one) => prefixes.map((other) => [due(one), due(other)]));
  for (const pair of pairs) await findAll(store, ...pair);
  const most = await countPrepared();
  for (const pair of pairs) await findAll(store, ...pair, due('eq'));
  await inHostTransaction(async (joined) => {
    for (const pair of pairs) await findAll(joined, ...pair, due('le'));
  });
  expect(await countPrepared()).toBe(most);

  const everyday = [due('ap'), due('le'), due('eq')];
  for (let nth = 0; nth < 10; nth += 1) expect(await findAll(store, ...everyday)).toEqual(['a']);
  expect(await countPrepared()).toBe(most + 1);
});

test('a shape that is often asked for is prepared, although many odd ones were asked for before, again and again', () => {
  const isPrepared = createPreparedShapes();
  const odd = Array.from({ length: 2000 }, (_, nth) => `odd ${nth}`);
  for (let turn = 0; turn < 50; turn += 1) for (const shape of odd.slice(0, 128)) isPrepared(shape);
  for (const shape of odd) isPrepared(shape);
  const uses = Array.from({ length: 1000 }, () => isPrepared('everyday'));
  expect(uses.at(-1)).toBe(true);
});

test('no more than 128 shapes are prepared, however often they are asked for', () => {
  const isPrepared = createPreparedShapes();
  const shapes = Array.from({ length: 200 }, (_, nth) => `${nth}`);
  for (const shape of shapes) for (let use = 0; use < 2 ** 16; use += 1) isPrepared(shape);
  expect(shapes.filter(isPrepared)).toEqual(shapes.slice(0, 128));
});
