import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import type { Transaction } from '@clinical-records/core/store';
import type pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { fromPg, fromQuery, openPostgresStore } from '../../src/index.ts';
import { newDatabase } from '../tenants/databases.ts';
import { openCountingPool } from './trips.ts';

const by = { by: 'Practitioner/ada' } as const;
const loinc = { coding: [{ system: 'http://loinc.org', code: '718-7' }] } as const;
const order = { kind: 'labOrder', patientId: 'amy', code: loinc } as const;
const goal = { kind: 'goal', patientId: 'amy', description: 'Walk a mile' } as const;
const statement = {
  status: 'completed',
  primarySource: false,
  occurrenceDateTime: '2025-10-01',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
  patient: { reference: 'Patient/amy' },
} as const;

/** A call, and how many round trips it takes. */
type Call = readonly [name: string, trips: number, call: (on: ClinicalRecords) => Promise<unknown>];

/** Writes that only add records: one round trip for all that each reads at once, and one to commit. */
const creates: readonly Call[] = [
  ['a staged order', 2, ({ chart }) => chart.stage(order)],
  ['a staged goal', 2, ({ chart }) => chart.stage(goal)],
  ['an immunization', 2, ({ immunizations }) => immunizations.create(statement, by)],
  ['one within a chart', 2, ({ immunizations }) => immunizations.create(statement, { ...by, within: 'amy' })],
  // The author is looked up before.
  ['a recorded order', 3, ({ chart }) => chart.record(order, by)],
  ['a recorded goal', 3, ({ chart }) => chart.record(goal, by)],
];

/** Calls that read in a transaction of the host. */
const reads: readonly Call[] = [
  ['a search', 1, ({ immunizations }) => immunizations.search({ patient: 'amy' })],
  [
    'a goal that does not exist',
    1,
    ({ goals }) => expect(goals.read('none')).rejects.toMatchObject({ tag: 'NotFound' }),
  ],
  ['a read', 1, ({ directory }) => directory.read('Patient', 'amy')],
  ['a history', 2, ({ goals }) => goals.history('walk')],
];

/** How a host joins, with a trip for each query of its own. */
type Way = readonly [name: string, options: pg.PoolConfig, join: (client: pg.PoolClient) => Transaction];

const ways: readonly Way[] = [
  ['fromPg, with a pipeline', { pipeline: true }, (client) => fromPg(client)],
  ['fromPg, without one', {}, (client) => fromPg(client)],
  ['fromQuery', {}, (client) => fromQuery(client, (text, values) => client.query(text, [...values]))],
];

const openRecords = async (options: pg.PoolConfig) => {
  const counting = openCountingPool(await newDatabase(), { max: 1, ...options });
  const store = openPostgresStore({ pool: counting.pool });
  const records = createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron' });
  await records.chart.record({ ...goal, id: 'walk' }, by);
  // The terms of the index are written with the first of each.
  for (const [, , create] of creates) await create(records);
  return { ...counting, records };
};

describe.each<readonly [string, pg.PoolConfig]>([
  ['a pipeline', { pipeline: true }],
  ['no pipeline', {}],
])('with %s', async (_, options) => {
  const { records, takeTraffic } = await openRecords(options);

  test.each(creates)('%s takes %i round trips', async (_, trips, create) => {
    takeTraffic();
    await create(records);
    expect(takeTraffic().trips).toBe(trips);
  });
});

describe.each(ways)('in a transaction that %s joins', async (_, options, join) => {
  const { pool, records, takeTraffic } = await openRecords(options);
  const client = await pool.connect();
  afterAll(() => client.release());

  test.each([...reads, ...creates])('%s takes %i round trips', async (_, trips, call) => {
    await client.query('begin');
    takeTraffic();
    await call(records.in(join(client)));
    expect(takeTraffic().trips).toBe(trips);
    await client.query('rollback');
  });

  test('ten writes on one join take one round trip each, and one for all that they read', async () => {
    await client.query('begin');
    const { chart } = records.in(join(client));
    takeTraffic();
    await Promise.all(Array.from({ length: 10 }, () => chart.stage(order)));
    expect(takeTraffic().trips).toBe(11);
    await client.query('rollback');
  });
});

/** Two for what a create reads, and then those of the transaction. Without a pipeline, each of its queries is one. */
test.each<readonly [name: string, options: pg.PoolConfig, trips: number]>([
  ['a pipeline', { pipeline: true }, 4],
  ['no pipeline', {}, 8],
])(
  'with %s, records.transaction takes few round trips, and one more for a statement of the host',
  async (_, options, trips) => {
    const { pool, records, takeTraffic } = await openRecords(options);
    await pool.query('create table visits (name text)');
    takeTraffic();
    await records.transaction((tx) => tx.immunizations.create(statement, by));
    expect(takeTraffic().trips).toBe(trips);
    await records.transaction(async (tx) => {
      await tx.immunizations.create(statement, by);
      tx.write((client) => client.query({ text: `insert into visits values ('one')` }));
    });
    expect(takeTraffic().trips).toBe(trips + 1);
    expect(await records.verify()).toMatchObject({ discrepancies: [] });
  },
);
