import { expectTypeOf, test } from 'vitest';
import type { CareTeam, ClinicalRecords, Immunization } from '../../src/index.ts';

declare const records: ClinicalRecords;

const statement = {
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
  patient: { reference: 'Patient/7' },
  occurrenceDateTime: '2026-03-01',
  primarySource: false,
} as const;

test('the body of a write has the elements of its schema', () => {
  const write = () => [
    records.immunizations.create({ ...statement, note: [{ text: 'The vaccination card was seen.' }] }),
    records.careTeams.update('7', { id: '7', participant: [{ member: { reference: 'Organization/3' } }] }),
    // @ts-expect-error no element of an immunization
    records.immunizations.create({ foo: 1 }),
    // @ts-expect-error a vaccine is missing
    records.immunizations.create({ ...statement, vaccineCode: undefined }),
    // @ts-expect-error no status of an immunization
    records.immunizations.create({ ...statement, status: 'complete' }),
    // @ts-expect-error misspelt
    records.careTeams.update('7', { id: '7', partcipant: [] }),
    // @ts-expect-error not an array
    records.careTeams.update('7', { id: '7', participant: 3 }),
    // @ts-expect-error an update has an id
    records.immunizations.update('given', statement),
  ];
  expectTypeOf(write).toBeFunction();
});

test('a reference names the type of its target', () => {
  const write = () => [
    // @ts-expect-error a practitioner is not a patient
    records.immunizations.create({ ...statement, patient: { reference: 'Practitioner/12' } }),
    // @ts-expect-error a patient is not a member
    records.careTeams.update('7', { id: '7', participant: [{ member: { reference: 'Patient/7' } }] }),
  ];
  expectTypeOf(write).toBeFunction();
});

test('a resource that was read is a body of an update', () => {
  const write = (team: CareTeam, given: Immunization) => [
    records.careTeams.update(team.id, team),
    records.immunizations.update(given.id, { ...given, status: 'entered-in-error' }),
  ];
  expectTypeOf(write).toBeFunction();
});

test('a body of an unknown type is accepted by asJson', () => {
  const write = (body: unknown) => [
    records.immunizations.asJson.create(body),
    records.careTeams.asJson.update('7', body),
    // @ts-expect-error it is unknown
    records.immunizations.create(body),
  ];
  expectTypeOf(write).toBeFunction();
});
