import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  endStaged,
  recordGoals,
  recordImmunizations,
  recordOrders,
  retractImported,
} from '../chart-commands.ts';
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
  await directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
  await directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
});

afterEach(async () => {
  await clinic.store.close();
});

/** The text of a document. */
const shown = (name: string): unknown => JSON.parse(textOf(`shown/${name}.json`));

test('goal commands make the goal that the document shows', async () => {
  const { closed, reopened } = await recordGoals(clinic.records);
  expect(closed).toEqual(shown('goal'));
  expect(reopened).toMatchObject({
    lifecycleStatus: 'active',
    achievementStatus: { coding: [{ code: 'improving' }] },
  });
});

test('an order goes from draft to active to completed', async () => {
  const { draft, active, completed } = await recordOrders(clinic.records);
  expect([draft.status, active.status, completed.status]).toEqual(['draft', 'active', 'completed']);
  const { total } = await clinic.records.serviceRequests.search({ patient: '7' });
  expect(total).toBe(3);
});

test('immunization commands make immunizations', async () => {
  const { here, elsewhere, notDone } = await recordImmunizations(clinic.records);
  expect(here).toMatchObject({
    primarySource: true,
    status: 'completed',
    encounter: { reference: 'Encounter/visit-1' },
  });
  expect(elsewhere).toMatchObject({ primarySource: false, status: 'completed' });
  expect(elsewhere).not.toHaveProperty('encounter');
  expect(notDone).toMatchObject({ status: 'not-done', statusReason: { coding: [{ code: 'PATOBJ' }] } });
});

test('an imported order can be entered in error, whatever its system says later, and an imported goal is reopened', async () => {
  const subject = { reference: 'Patient/7' };
  const order = {
    resourceType: 'ServiceRequest',
    id: 'chest-x-ray',
    intent: 'order',
    status: 'active',
    category: [{ coding: [{ system: 'http://snomed.info/sct', code: '363679005' }] }],
    code: { coding: [{ system: 'http://loinc.org', code: '36643-5' }] },
    authoredOn: '2026-01-01',
    subject,
  };
  const description = { text: 'Walk 5 km a day' };
  const goal = { resourceType: 'Goal', id: 'walk', lifecycleStatus: 'completed', description, subject };
  const load = async (...resources: object[]) => clinic.records.importer.load(resources);
  expect((await load(order, goal)).imported).toEqual({ ServiceRequest: 1, Goal: 1 });
  const { retracted, reopened } = await retractImported(clinic.records);
  expect(retracted.status).toBe('entered-in-error');
  expect(reopened.lifecycleStatus).toBe('active');
  expect((await load({ ...order, status: 'entered-in-error' })).issues).toEqual([]);
  const changed = { ...goal, description: { text: 'Swim' } };
  expect((await load(changed)).issues).toMatchObject([{ rule: 'changed-here' }]);
});

test('what is staged is found, and committed or discarded', async () => {
  const { chart } = clinic.records;
  const order = await chart.stage(
    {
      kind: 'labOrder',
      patientId: '7',
      code: { coding: [{ system: 'http://loinc.org', code: '2093-3', display: 'Cholesterol' }] },
    },
    { by: 'Device/advisor' },
  );
  const goal = await chart.stage({ kind: 'goal', patientId: '7', description: 'Walk 5 km a day' });
  await endStaged(clinic.records);
  expect(await chart.read(order.id)).toEqual(shown('command'));
  expect(await chart.read(goal.id)).toMatchObject({
    status: 'discarded',
    discarded: { by: 'Practitioner/12', reason: 'Not needed any more.' },
  });
});
