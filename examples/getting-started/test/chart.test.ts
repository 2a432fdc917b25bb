import { createClinicalRecords, orThrow } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { goals, immunizations, orders } from '../chart-commands.ts';
import { textOf } from './files.ts';

const open = () => {
  let ids = 0;
  const store = openSqliteStore({ filename: ':memory:' });
  const records = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
    clock: () => new Date('2026-03-01T09:30:00Z'),
    newId: () => `id-${++ids}`,
  });
  return { store, records };
};

let clinic: ReturnType<typeof open>;

beforeEach(async () => {
  clinic = open();
  const { directory } = clinic.records;
  await orThrow(directory.putPatient({ id: '7', lastName: 'Shaw', firstName: 'Amy' }));
  await orThrow(directory.putPractitioner({ id: '12', lastName: 'Byron', firstName: 'Ada' }));
});

afterEach(() => clinic.store.close()());

/** What a document shows. */
const shown = (name: string): unknown => JSON.parse(textOf(`shown/${name}.json`));

test('goal commands make the goal that the document shows', async () => {
  const { closed, reopened } = await goals(clinic.records);
  expect(closed).toEqual(shown('goal'));
  expect(reopened).toMatchObject({
    lifecycleStatus: 'active',
    achievementStatus: { coding: [{ code: 'improving' }] },
  });
});

test('an order goes from draft to active to completed, and is the request that the document shows', async () => {
  const { draft, active, completed } = await orders(clinic.records);
  expect([draft.status, active.status, completed.status]).toEqual(['draft', 'active', 'completed']);
  expect(active).toEqual(shown('service-request'));
  const { total } = await orThrow(clinic.records.serviceRequests.search({ patient: '7' }));
  expect(total).toBe(3);
});

test('immunization commands make the immunization that the document shows', async () => {
  const { here, elsewhere, notDone } = await immunizations(clinic.records);
  expect(here).toEqual(shown('immunization'));
  expect(elsewhere).toMatchObject({ primarySource: false, status: 'completed' });
  expect(elsewhere).not.toHaveProperty('encounter');
  expect(notDone).toMatchObject({ status: 'not-done', statusReason: { coding: [{ code: 'PATOBJ' }] } });
});
