import { expect, test } from 'vitest';
import type { Patient } from '../src/model/resources.ts';
import { isSimilar } from '../src/model/similar-patients.ts';

const patient = (id: string, family: string, given: string, birthDate = '1970-03-03'): Patient => ({
  ...{ resourceType: 'Patient', id, name: [{ family, given: [given] }], birthDate },
});

const anna = patient('1', 'Meier', 'Anna');

test.each([
  [patient('2', 'Meier', 'Anna'), true],
  [patient('2', 'Meyer', 'Anna'), true],
  [patient('2', 'Méier', 'Anne'), true],
  [patient('2', 'Anna', 'Meier'), true],
  [patient('2', 'Meier', 'Bernhard'), false],
  [patient('2', 'Schulz', 'Anna'), false],
  [patient('2', 'Meier', 'Anna', '1970-03-04'), false],
  [patient('1', 'Meier', 'Anna'), false],
])('Anna Meier and %j are similar: %s', (other, similar) => {
  expect([isSimilar(anna, other), isSimilar(other, anna)]).toEqual([similar, similar]);
});

test('without a birth date, nothing is said', () => {
  const { birthDate: _, ...unknown } = anna;
  expect(isSimilar({ ...unknown, id: '3' }, { ...unknown, id: '4' })).toBe(false);
});
