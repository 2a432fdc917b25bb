import { createClinicalRecords } from '@clinical-records/core';
import {
  anyConcept,
  defineResource,
  list,
  quantity,
  reference,
} from '@clinical-records/core/define-resource';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { createHandler, createSender, extensionBase } from '../clinic.ts';
import { by } from './clinic.ts';

const seen: unknown[] = [];

const observation = defineResource({
  ...{ type: 'Observation', name: 'observations', patient: 'subject' },
  profile: 'http://hl7.org/fhir/StructureDefinition/Observation',
  elements: {
    subject: reference('Patient'),
    code: anyConcept,
    category: list(anyConcept),
    status: anyConcept.optional(),
    valueQuantity: quantity.optional(),
  },
  conforms: ({ valueQuantity }) => seen.push(valueQuantity?.value) > 0,
  choices: [],
  identity: { concept: 'code' },
  search: {
    size: {
      kind: 'token',
      at: ({ valueQuantity }) => [{ code: valueQuantity?.value === 1.5 ? 'right' : 'other' }],
      version: 1,
    },
  },
  ...{ references: {}, people: [], mandatory: ['code'], summary: [], otherVersions: [] },
  inError: 'status.coding.code',
  isEnd: () => false,
  writes: ['create', 'update'],
});

const open = async () => {
  const store = createMemoryStore();
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles: [], types: [observation] });
  for (const id of ['amy', 'ben']) await records.directory.put('Patient', { id, lastName: 'Shaw' });
  return { records, send: createSender(createHandler(records)) };
};

const body = (value: string) =>
  `{"code":{"text":"Dose"},"category":[{"text":"exam"}],"subject":{"reference":"Patient/amy"},"valueQuantity":{"value":${value}}}`;

test('the digits of a decimal are kept, and functions of the host get the number', async () => {
  const { records, send } = await open();
  seen.length = 0;
  const { status, headers } = await send('POST', '/Observation', { body: body('1.50') });
  expect([status, seen]).toEqual([201, [1.5]]);
  const path = `/Observation/${headers.location?.split('/Observation/')[1]?.split('/')[0]}`;
  expect((await send('GET', path)).text).toContain('"value":1.50');
  expect((await send('GET', '/Observation?size=right')).json.total).toBe(1);
  expect((await records.verify()).discrepancies).toEqual([]);
});

test('a write after a move with the same elements changes nothing', async () => {
  const { records } = await open();
  const sent = JSON.parse(body('2'));
  const { id } = await records.observations.create(sent, { by });
  const why = { by, reason: 'Wrong chart.', toPatientId: 'ben' } as const;
  await records.corrections.moveToPatient({ resourceType: 'Observation', resourceId: id, ...why });
  const again = await records.observations.update(id, { ...sent, id, subject: { reference: 'Patient/ben' } });
  expect(again.meta?.versionId).toBe('2');
});

test('an import without anything valid in what it must have is refused', async () => {
  const { records } = await open();
  const source = { ...JSON.parse(body('2')), resourceType: 'Observation', id: 'a', category: [7] };
  const { issues } = await records.importer.load([source]);
  expect(issues.map(({ rule, expression }) => [rule, expression])).toEqual([
    ['required', 'Observation.category'],
  ]);
});
