import { expect, test } from 'vitest';
import { detailsOf, recordOf } from '../src/model/patients.ts';
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
