import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../src/index.ts';
import { newDatabase, openPool } from './databases.ts';
import { watchQueries } from './watch-queries.ts';

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

/** Counts how often queries are sent while none is on its way: those that follow before the answer are in the same round trip. */
const openTripPool = (url: string, options: pg.PoolConfig) => {
  const pool = openPool(url, options);
  let [running, trips] = [0, 0];
  const onQuery = () => {
    if (running === 0) trips += 1;
    running += 1;
    return () => {
      running -= 1;
    };
  };
  watchQueries(pool, () => onQuery);
  return { pool, countTrips: () => trips };
};

/** Writes that only add records, and how many round trips each takes: one for all that it reads at once, and one to commit. */
type Create = readonly [name: string, trips: number, create: (on: ClinicalRecords) => Promise<unknown>];

const creates: readonly Create[] = [
  ['a staged order', 2, ({ chart }) => chart.stage(order)],
  ['a staged goal', 2, ({ chart }) => chart.stage(goal)],
  ['an immunization', 2, ({ immunizations }) => immunizations.create(statement, by)],
  ['one within a chart', 2, ({ immunizations }) => immunizations.create(statement, { ...by, within: 'amy' })],
  // The author is looked up before.
  ['a recorded order', 3, ({ chart }) => chart.record(order, by)],
  ['a recorded goal', 3, ({ chart }) => chart.record(goal, by)],
];

describe.each<readonly [string, pg.PoolConfig]>([
  ['a pipeline', { pipeline: true }],
  ['no pipeline', {}],
])('with %s', async (_, options) => {
  const { pool, countTrips } = openTripPool(await newDatabase(), { max: 1, ...options });
  const store = openPostgresStore({ pool });
  const records = createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });
  beforeAll(async () => {
    await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
    await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron' });
    // The terms of the index are written with the first of each.
    for (const [, , create] of creates) await create(records);
  });

  test.each(creates)('%s takes %i round trips', async (_, trips, create) => {
    const before = countTrips();
    await create(records);
    expect(countTrips() - before).toBe(trips);
  });
});
