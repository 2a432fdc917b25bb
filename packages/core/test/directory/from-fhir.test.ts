import { describe, expect, test } from 'vitest';
import { directoryFromFhir } from '../../src/directory/from-fhir.ts';
import { refusal, rightOf } from '../builders.ts';

const { Patient, Practitioner, Organization, Encounter } = directoryFromFhir;

describe('a person', () => {
  test('is known by the last name, and by the first of the first names', () => {
    const name = [{ family: 'Doe', given: ['Jane', 'Mary'] }];
    expect(rightOf(Patient({ resourceType: 'Patient', id: 'p1', name, gender: 'female' }))).toEqual({
      id: 'p1',
      lastName: 'Doe',
      firstName: 'Jane',
    });
    expect(rightOf(Practitioner({ id: 'dr-1', name }))).toEqual({
      id: 'dr-1',
      lastName: 'Doe',
      firstName: 'Jane',
    });
  });

  test('is known by the official name, if there is one', () => {
    const name = [
      { use: 'nickname', family: 'D' },
      { use: 'official', family: 'Doe' },
    ];
    expect(rightOf(Patient({ id: 'p1', name }))).toEqual({ id: 'p1', lastName: 'Doe', firstName: '' });
  });

  test('is known by the text of a name that is not divided', () => {
    expect(rightOf(Patient({ id: 'p1', name: [{ text: 'Jane Doe' }] })).lastName).toBe('Jane Doe');
  });

  test('was modified when the resource was: of a patient alone', () => {
    const resource = {
      id: 'x',
      name: [{ family: 'Doe' }],
      meta: { lastUpdated: '2026-01-02T03:04:05+01:00' },
    };
    expect(rightOf(Patient(resource)).lastModified).toBe('2026-01-02T03:04:05+01:00');
    expect(rightOf(Practitioner(resource))).not.toHaveProperty('lastModified');
  });

  test('has a name and an id', () => {
    expect(refusal(Patient({}))).toEqual([
      'InvalidRequest',
      'required at Patient.id',
      'required at Patient.name',
    ]);
    expect(refusal(Practitioner({ id: 'a b', name: [] }))).toEqual([
      'InvalidRequest',
      'empty at Practitioner.name',
      'value at Practitioner.id',
    ]);
  });
});

test('an organization has a name', () => {
  expect(rightOf(Organization({ id: 'o1', name: 'Lab', alias: ['L'] }))).toEqual({ id: 'o1', name: 'Lab' });
  expect(refusal(Organization({ id: 'o1' }))).toEqual(['InvalidRequest', 'required at Organization.name']);
});

test('an encounter has a patient', () => {
  expect(rightOf(Encounter({ id: 'e1', subject: { reference: 'Patient/p1' }, status: 'finished' }))).toEqual({
    id: 'e1',
    patientId: 'p1',
  });
  expect(refusal(Encounter({ id: 'e1', subject: { reference: 'Group/1' } }))).toEqual([
    'InvalidRequest',
    'value at Encounter.subject',
  ]);
});
