import { expect, test } from 'vitest';
import { parseReferenceCriteria } from '../../src/search/parameters.ts';

const members = parseReferenceCriteria(['Practitioner', 'Organization']);

test('a reference is to one of the types', () => {
  expect(members('Practitioner/7')).toEqual([{ type: 'Practitioner', id: '7' }]);
  expect(members('Organization/7')).toEqual([{ type: 'Organization', id: '7' }]);
});

test('an id without a type can be of any of the types', () => {
  expect(members('7')).toEqual([
    { type: 'Practitioner', id: '7' },
    { type: 'Organization', id: '7' },
  ]);
});

test('patient=123 and patient=Patient/123 mean the same', () => {
  const patients = parseReferenceCriteria(['Patient']);
  expect(patients('123')).toEqual([{ type: 'Patient', id: '123' }]);
  expect(patients('Patient/123')).toEqual(patients('123'));
});

test.each([
  '',
  'Patient/7',
  'practitioner/7',
  'Practitioner/',
  '/7',
  'Practitioner/7/_history/1',
  'https://x.example/Practitioner/7',
  'Practitioner/7 ',
  'a b',
  'x'.repeat(65),
  `Practitioner/${'x'.repeat(65)}`,
])('%j is not a reference criterion', (value) => {
  expect(members(value)).toBeNull();
});
