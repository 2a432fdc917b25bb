import { expect, test } from 'vitest';
import { birthOf, deathOf, detailsOf, otherIdentifiersOf, recordOf } from '../src/model/patients.ts';
import type { Patient } from '../src/model/resources.ts';

const name = [{ family: 'Alvarez', given: ['Rosa'] }];

test('patients of the same name differ in their records, or in their ids if no record is known', () => {
  expect(recordOf({ resourceType: 'Patient', id: '7', name, identifier: [{ value: 'R-1001' }] })).toBe(
    'R-1001',
  );
  expect(recordOf({ resourceType: 'Patient', id: '8', name, identifier: [{}] })).toBe('8');
});

test('a name is followed by the birth date, if it is known, and the record', () => {
  const rosa: Patient = { resourceType: 'Patient', id: '7', name, identifier: [{ value: 'R-1001' }] };
  expect(detailsOf({ ...rosa, birthDate: '1961-08-23' })).toBe('23 Aug 1961 · R-1001');
  expect(detailsOf(rosa)).toBe('R-1001');
});

test('the number of the record comes before other identifiers, which have the names of their kinds', () => {
  const patient: Patient = {
    resourceType: 'Patient',
    id: '7',
    identifier: [
      { value: 'P-5', type: { text: 'Passport' } },
      { value: 'R-1001', type: { coding: [{ code: 'MR', display: 'Medical record number' }] } },
      { value: 'x' },
      { type: { text: 'Without a value' } },
    ],
  };
  expect(recordOf(patient)).toBe('R-1001');
  expect(otherIdentifiersOf(patient)).toEqual([
    { kind: 'Passport', value: 'P-5' },
    { kind: 'Identifier', value: 'x' },
  ]);
});

test('a patient who has died is marked, with the age at death if its date is known', () => {
  const rosa: Patient = { resourceType: 'Patient', id: '7', name, birthDate: '1961-08-23' };
  const today = '2026-11-28';
  expect([deathOf(rosa), birthOf(rosa, today)]).toEqual([undefined, '23 Aug 1961 (65 years)']);
  const died = { ...rosa, deceasedDateTime: '2026-08-22' };
  expect([deathOf(died), birthOf(died, today)]).toEqual(['Died 22 Aug 2026', '23 Aug 1961 (64 years)']);
  const dead = { ...rosa, deceasedBoolean: true };
  expect([deathOf(dead), birthOf(dead, today)]).toEqual(['Deceased', '23 Aug 1961']);
  expect(deathOf({ ...rosa, deceasedBoolean: false })).toBeUndefined();
  expect(detailsOf(dead)).toBe('23 Aug 1961 · 7 · Deceased');
  expect(birthOf({ resourceType: 'Patient', id: '7' }, today)).toBeUndefined();
});

test('a number that is not valid any more never comes first, and of the others the official one, then the usual one', () => {
  const mr = { type: { coding: [{ code: 'MR' }] } };
  const today = '2026-11-28';
  const shown = (...identifier: NonNullable<Patient['identifier']>) =>
    recordOf({ resourceType: 'Patient', id: '7', identifier }, today);
  expect(shown({ ...mr, value: 'old', use: 'old' }, { ...mr, value: 'new' })).toBe('new');
  expect(shown({ ...mr, value: 'over', period: { end: '2026-11-27' } }, { value: 'other' })).toBe('other');
  expect(shown({ ...mr, value: 'ends', period: { end: '2026-11' } }, { value: 'other' })).toBe('ends');
  expect(shown({ value: 'a' }, { value: 'b', use: 'usual' }, { value: 'c', use: 'official' })).toBe('c');
  expect(shown({ value: 'a' }, { value: 'b', use: 'usual' })).toBe('b');
  expect(shown({ value: 'a', use: 'official' }, { ...mr, value: 'b' })).toBe('b');
  expect(shown({ value: 'a', use: 'old' })).toBe('7');
  const patient: Patient = {
    resourceType: 'Patient',
    id: '7',
    identifier: [{ value: 'a', use: 'old' }, { value: 'b' }],
  };
  expect(otherIdentifiersOf(patient, today)).toEqual([{ kind: 'Identifier (no longer valid)', value: 'a' }]);
});

test('no age is negative', () => {
  const born = (birthDate: string, rest: object = {}) =>
    birthOf({ resourceType: 'Patient', id: '7', birthDate, ...rest }, '2026-11-28');
  expect(born('2031-01-01')).toBe('1 Jan 2031 (in the future)');
  expect(born('2031')).toBe('2031 (in the future)');
  expect(born('2026-11-28')).toBe('28 Nov 2026 (0 days)');
  expect(born('2020-05-05', { deceasedDateTime: '2019-01-01' })).toBe('5 May 2020');
});
