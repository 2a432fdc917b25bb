import { expect, test } from 'vitest';
import { goalParameters } from '../../src/goal/record.ts';
import { createProvenanceParameters } from '../../src/provenance/model.ts';
import { compareEntries, parseSort, sortParameter } from '../../src/search/parse-search.ts';

test('the values are the parameters that compare times, in both directions', () => {
  expect(sortParameter(goalParameters)).toEqual({
    _sort: {
      kind: 'choice',
      values: ['_lastUpdated', '-_lastUpdated', 'target-date', '-target-date', 'start-date', '-start-date'],
    },
  });
  expect(sortParameter(createProvenanceParameters([]))).toEqual({});
});

test.each([
  ['date', { key: 'date', isDescending: false }],
  ['-date', { key: 'date', isDescending: true }],
])('%s is parsed', (value, sort) => {
  expect(parseSort(value)).toEqual(sort);
});

test.each([
  ['date', [2, 1, 3, 0, 4]],
  ['-date', [1, 3, 2, 0, 4]],
])('by %s, ties are in the order of creation, and entries without a time are last', (value, places) => {
  const entries = [null, 7, -5, 7, null].map((key, place) => ({ key, place }));
  const sorted = entries.toReversed().toSorted(compareEntries(parseSort(value)));
  expect(sorted.map(({ place }) => place)).toEqual(places);
});
