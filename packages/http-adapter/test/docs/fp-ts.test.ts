import { createMemoryStore } from '@clinical-records/store-memory';
import { right } from 'fp-ts/lib/Either.js';
import { beforeEach, expect, test } from 'vitest';
import { type Clinic, nurse, openClinic } from '../clinic.ts';
import { membersOf, membersToAwait, recordWalk } from './fp-ts.ts';

let clinic: Clinic;

beforeEach(async () => {
  clinic = await openClinic(createMemoryStore());
  await clinic.records.careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'active', { role: nurse });
});

test('a piped result is read when its task is run', async () => {
  const members = membersOf(clinic.records, 'amy');
  await clinic.records.directory.put('Practitioner', { id: 'ada', lastName: 'Lovelace', firstName: 'Ada' });
  expect(await members()).toEqual(right(['Ada Lovelace']));
  expect(await membersOf(clinic.records, 'Practitioner/nobody')()).toMatchObject({
    left: { _tag: 'NotFound' },
  });
});

test('results are the steps of a task, and errors of some tags are expected', async () => {
  expect(await recordWalk(clinic.records, 'amy', 'Practitioner/ada')()).toMatchObject({
    right: { description: { text: 'Walk 5 km a day' } },
  });
  expect(await recordWalk(clinic.records, 'amy', 'Practitioner/nobody')()).toEqual(right(null));
});

test('a task that was made a result can be awaited', async () => {
  expect(await membersToAwait(clinic.records, 'amy')).toEqual(['Ada Byron']);
  await expect(async () => membersToAwait(clinic.records, 'Practitioner/nobody')).rejects.toMatchObject({
    tag: 'NotFound',
  });
});
