import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { beforeEach, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/index.ts';
import { resultOf } from '../store-helpers.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';

const by = { by: 'Practitioner/ada' } as const;
const why = { ...by, reason: 'Registered twice.' } as const;
const url = await newDatabase();
const [pool, otherPool] = [openPool(url, { max: 4 }), openPool(url, { max: 4 })];
let schema = 0;
/** Two stores on the same records, as two processes have them. */
let [store, other] = [openPostgresStore({ pool }), openPostgresStore({ pool: otherPool })];

const recordsOn = (on: ClinicalStore): ClinicalRecords =>
  createClinicalRecords({ store: on, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });

beforeEach(async () => {
  schema += 1;
  store = openPostgresStore({ pool, schema: `corrected_${schema}` });
  other = openPostgresStore({ pool: otherPool, schema: `corrected_${schema}` });
  const { directory } = recordsOn(store);
  await directory.put('Practitioner', { id: 'ada', lastName: 'Byron' });
  for (const id of ['amy', 'ben']) await directory.put('Patient', { id, lastName: id });
  await directory.put('Encounter', { id: 'visit', patientId: 'amy' });
  await directory.put('Note', { id: 'note', patientId: 'amy', encounterId: 'visit' });
});

/** The store, on whose next commit other work is done before. */
const beforeCommit = (on: ClinicalStore, work: () => Promise<unknown>): ClinicalStore => {
  let hasRun = false;
  return {
    ...on,
    commit: async (commit) => {
      const isFirst = !hasRun && commit.reindexing === undefined;
      hasRun ||= isFirst;
      if (isFirst) await work();
      return on.commit(commit);
    },
  };
};

const leftIn = async (chart: string) =>
  (await resultOf(store.scan({ limit: 1000 }))).flatMap(({ type, id, patientId, state }) => {
    const { isErased, participants } = JSON.parse(state);
    const stays = type === 'Patient' || participants?.length === 0;
    return patientId !== chart || isErased || stays ? [] : [`${type}/${id}`];
  });

type Write = (on: ClinicalRecords, patientId: string) => Promise<unknown>;

const loinc = { coding: [{ system: 'http://loinc.org', code: '718-7' }] } as const;
const creates: Readonly<Record<string, Write>> = {
  'a staged order': ({ chart }, patientId) => chart.stage({ kind: 'labOrder', patientId, code: loinc }),
  'a recorded goal': ({ chart }, patientId) =>
    chart.record({ kind: 'goal', patientId, description: 'Walk a mile' }, by),
  'an immunization': ({ immunizations }, patientId) =>
    immunizations.create(
      {
        ...{ status: 'completed', primarySource: false, occurrenceDateTime: '2025-10-01' },
        vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
        patient: { reference: `Patient/${patientId}` },
      },
      { ...by, idempotencyKey: patientId },
    ),
};

const corrections: Readonly<Record<string, Write>> = {
  merge: ({ corrections }, patientId) => corrections.mergePatients({ patientId, toPatientId: 'ben', ...why }),
  erasure: ({ corrections }, resourceId) =>
    corrections.erase({ resourceType: 'Patient', resourceId, ...why }),
};

describe.each(Object.entries(corrections))('beside a %s of the other process', (_, correct) => {
  test.each(Object.entries(creates))(
    '%s that began before is decided again, and refused',
    async (_, create) => {
      const late = recordsOn(beforeCommit(store, () => correct(recordsOn(other), 'amy')));
      await expect(create(late, 'amy')).rejects.toMatchObject({ tag: 'RuleViolation' });
      expect(await leftIn('amy')).toEqual([]);
    },
  );

  test.each(Object.entries(creates))(
    '%s that is committed meanwhile is corrected, too',
    async (_, create) => {
      const late = recordsOn(beforeCommit(other, () => create(recordsOn(store), 'amy')));
      await correct(late, 'amy');
      expect(await leftIn('amy')).toEqual([]);
    },
  );

  test('nothing is left of whatever runs at the same time', async () => {
    const [here, there] = [recordsOn(store), recordsOn(other)];
    for (let round = 0; round < 3; round += 1) {
      const patientId = `p${round}`;
      await here.directory.put('Patient', { id: patientId, lastName: 'Lake' });
      const writes = Object.values(creates).flatMap((create) => [
        create(here, patientId),
        create(there, patientId),
      ]);
      const [corrected] = await Promise.allSettled([correct(there, patientId), ...writes]);
      expect(corrected.status).toBe('fulfilled');
      expect(await leftIn(patientId)).toEqual([]);
    }
    expect((await here.verify()).discrepancies).toEqual([]);
  });
});

test('creates of one chart in two processes do not conflict', async () => {
  let conflicts = 0;
  const counted = (on: ClinicalStore) =>
    recordsOn({
      ...on,
      commit: async (commit) => {
        const committed = await on.commit(commit);
        if (committed._tag === 'Left') conflicts += 1;
        return committed;
      },
    });
  const [here, there] = [counted(store), counted(other)];
  const { 'a staged order': order, 'a recorded goal': goal } = creates as Record<string, Write>;
  await Promise.all(
    Array.from({ length: 10 }, () =>
      [order, goal].flatMap((create) => [create?.(here, 'amy'), create?.(there, 'amy')]),
    ).flat(),
  );
  expect(conflicts).toBe(0);
});
