import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { resourceTypes } from '../../src/fhir/resource-type.ts';
import { createProvenanceIds } from '../../src/provenance/model.ts';
import { resources } from '../../src/resources.ts';

const { format: formatProvenanceId, parse: parseProvenanceId } = createProvenanceIds(
  Object.values(resources),
);

const idOf = (maxLength: number) =>
  fc.stringMatching(/^[A-Za-z0-9\-.]+$/, { maxLength }).filter((id) => id.length <= maxLength);

test('an id names one version, whatever the id of the resource', () => {
  const version = fc.record({
    type: fc.constantFrom(...resourceTypes),
    id: idOf(64),
    version: fc.integer({ min: 1, max: 999_999 }),
  });
  fc.assert(
    fc.property(version, (one) => {
      expect(parseProvenanceId(formatProvenanceId(one))).toEqual(one);
    }),
  );
});

test('it is an id of FHIR if the id of the resource leaves room for the type and the version', () => {
  const longest = formatProvenanceId({
    type: 'CareTeam',
    id: `${'a'.repeat(36)}.entered-in-error`,
    version: 99_999_999,
  });
  expect(longest).toMatch(/^[A-Za-z0-9\-.]{1,64}$/);
});

test('no two types begin with the same letter', () => {
  expect(new Set(resourceTypes.map(([initial]) => initial)).size).toBe(resourceTypes.length);
});

test.each([
  '',
  'walk',
  'G-walk',
  'G-walk-0',
  'G-walk-01',
  'G-walk-x',
  'X-walk-1',
  'g-walk-1',
  'G--1',
  'Gwalk-1',
])('%j names no version', (id) => {
  expect(parseProvenanceId(id)).toBeNull();
});
