import { expect, test } from 'vitest';
import { recordOf, summaryOf } from '../src/model/patients.ts';
import type { Patient } from '../src/model/resources.ts';

const name = [{ family: 'Alvarez', given: ['Rosa'] }];

test('patients of the same name are told apart by their records, or by their ids if no record is known', () => {
  expect(recordOf({ resourceType: 'Patient', id: '7', name, identifier: [{ value: 'R-1001' }] })).toBe(
    'R-1001',
  );
  expect(recordOf({ resourceType: 'Patient', id: '8', name, identifier: [{}] })).toBe('8');
});

test('a patient is named by name, birth date and record', () => {
  const rosa: Patient = { resourceType: 'Patient', id: '7', name, identifier: [{ value: 'R-1001' }] };
  expect(summaryOf({ ...rosa, birthDate: '1961-08-23' })).toBe('Alvarez, Rosa · 23 Aug 1961 · R-1001');
  expect(summaryOf(rosa)).toBe('Alvarez, Rosa · R-1001');
});
