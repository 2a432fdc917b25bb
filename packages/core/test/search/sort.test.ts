import { expect, test } from 'vitest';
import { goalParameters } from '../../src/goal/record.ts';
import { compareEntries, isSort, parseSort, sortParameter } from '../../src/search/sort.ts';

test('the values are the parameters of times, ids and known codes, in both directions', () => {
  expect(sortParameter(goalParameters)).toEqual({
    _sort: {
      kind: 'sort',
      values: [
        ...['_id', '-_id', '_lastUpdated', '-_lastUpdated', 'lifecycle-status', '-lifecycle-status'],
        ...['target-date', '-target-date', 'start-date', '-start-date'],
        ...['achievement-status', '-achievement-status'],
      ],
    },
  });
  expect(sortParameter({ code: { kind: 'token' }, name: { kind: 'string' } })).toEqual({});
});

test.each([
  ['date', [{ name: 'date', isDescending: false }]],
  ['-date', [{ name: 'date', isDescending: true }]],
  [
    '-date,_lastUpdated',
    [
      { name: 'date', isDescending: true },
      { name: '_lastUpdated', isDescending: false },
    ],
  ],
])('%s is parsed', (value, sort) => {
  expect(parseSort(value)).toEqual(sort);
});

test.each([
  ['date', [2, 1, 3, 0, 4]],
  ['-date', [1, 3, 2, 0, 4]],
])('by %s, ties are in the order of creation, and entries without a value are last', (value, places) => {
  const entries = [null, 7, -5, 7, null].map((value, place) => ({ values: [value], place }));
  const sorted = entries.toReversed().toSorted(compareEntries(parseSort(value)));
  expect(sorted.map(({ place }) => place)).toEqual(places);
});

test('times are compared as numbers, whatever their number of digits', () => {
  const times = [1_000_000_000_000, 999_999_999_999, -5, 0, -1_000_000_000_000];
  const entries = times.map((value, place) => ({ values: [value], place }));
  const sorted = entries.toSorted(compareEntries(parseSort('date')));
  expect(sorted.map(({ values: [value] }) => value)).toEqual(times.toSorted((a, b) => a - b));
});

test.each([
  ['date,_lastUpdated', [3, 1, 2, 0, 4]],
  ['date,-_lastUpdated', [1, 3, 2, 0, 4]],
  ['-date,_lastUpdated', [2, 3, 1, 0, 4]],
])('by %s, ties of a key are in the order of the next', (value, places) => {
  const entries = [
    [null, 2],
    [1, 9],
    [2, 1],
    [1, 8],
    [null, null],
  ].map((values, place) => ({ values, place }));
  const sorted = entries.toReversed().toSorted(compareEntries(parseSort(value)));
  expect(sorted.map(({ place }) => place)).toEqual(places);
});

test.each([
  ['_id', [2, 0, 3, 1]],
  ['-_id', [1, 3, 0, 2]],
])('by %s, texts are compared character by character', (value, places) => {
  const entries = ['a', 'b', 'B', 'a-1'].map((id, place) => ({ values: [id], place }));
  expect(entries.toSorted(compareEntries(parseSort(value))).map(({ place }) => place)).toEqual(places);
});

test('a value of another type, which a client wrote into a cursor, has a place too', () => {
  const compare = compareEntries(parseSort('date'));
  const [entry, forged] = [
    { values: [7], place: 0 },
    { values: ['x'], place: 1 },
  ];
  expect([Math.sign(compare(entry, forged)), Math.sign(compare(forged, entry))]).toEqual([-1, 1]);
});

test('a value has known keys with commas between them, and none twice', () => {
  const keys = ['date', '-date', '_lastUpdated', '-_lastUpdated'];
  for (const value of ['date', '-date,_lastUpdated', '_lastUpdated,date'])
    expect(isSort(value, keys)).toBe(true);
  for (const value of ['', 'date,', ',date', 'date,name', 'date, -_lastUpdated', 'date,-date', 'date,date'])
    expect([value, isSort(value, keys)]).toEqual([value, false]);
});
