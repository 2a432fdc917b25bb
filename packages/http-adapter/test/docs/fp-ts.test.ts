import { createMemoryStore } from '@clinical-records/store-memory';
import { right } from 'fp-ts/lib/Either.js';
import { beforeEach, expect, test } from 'vitest';
import { type Clinic, nurse, openClinic } from '../clinic.ts';
import { membersOf, nameOf, recordWalk } from './fp-ts.ts';

let clinic: Clinic;

beforeEach(async () => {
  clinic = await openClinic(createMemoryStore());
  await clinic.records.careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'active', { role: nurse });
});

test('a piped task reads when it is run, and each time', async () => {
  const members = membersOf(clinic.records, 'amy');
  await clinic.records.directory.put('Practitioner', { id: 'ada', lastName: 'Lovelace', firstName: 'Ada' });
  expect(await members()).toEqual(right(['Ada Lovelace']));
  await clinic.records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
  expect(await members()).toEqual(right(['Ada Byron']));
  expect(await membersOf(clinic.records, 'Practitioner/nobody')()).toMatchObject({
    left: { _tag: 'NotFound' },
  });
});

test('tasks are the steps of a task, and errors of some tags are expected', async () => {
  expect(await recordWalk(clinic.records, 'amy', 'Practitioner/ada')()).toMatchObject({
    right: { description: { text: 'Walk 5 km a day' } },
  });
  expect(await recordWalk(clinic.records, 'amy', 'Practitioner/nobody')()).toEqual(right(null));
});

test('an Either is awaited, and looked at', async () => {
  const { name } = await clinic.records.careTeams.read('amy');
  expect([await nameOf(clinic.records, 'amy'), await nameOf(clinic.records, 'nobody')]).toEqual([name, null]);
});
