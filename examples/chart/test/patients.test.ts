import { expect, test } from 'vitest';
import { recordOf } from '../src/model/patients.ts';

const name = [{ family: 'Alvarez', given: ['Rosa'] }];

test('patients of the same name are told apart by their records, or by their ids if no record is known', () => {
  expect(recordOf({ resourceType: 'Patient', id: '7', name, identifier: [{ value: 'R-1001' }] })).toBe(
    'R-1001',
  );
  expect(recordOf({ resourceType: 'Patient', id: '8', name, identifier: [{}] })).toBe('8');
});
