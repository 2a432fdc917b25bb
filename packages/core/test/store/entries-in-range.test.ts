import { left, right } from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import type { Position } from '../../src/store/port.ts';
import { countedPosition, entriesInRange } from '../../src/store/versions.ts';

const entryOf = (id: string, digest: string) => ({ id, digest, state: '{}', resource: null });
const [first, second, third] = [entryOf('a', 'd1'), entryOf('b', 'd2'), entryOf('c', 'd3')];
const entries = [first, second, third];

test('a range without a position begins with the first entry', () => {
  expect(entriesInRange(entries, { limit: 2 })).toEqual(right([first, second]));
});

test('a range begins after the entry at its position', () => {
  expect(entriesInRange(entries, { limit: 2, position: countedPosition(1) })).toEqual(right([second, third]));
  expect(entriesInRange(entries, { limit: 2, position: countedPosition(3) })).toEqual(right([]));
});

test.each(['4', '0', 'x'])('position %j, which no entry has, is unknown', (position) => {
  const range = { limit: 2, position: position as Position };
  expect(entriesInRange(entries, range)).toEqual(left({ _tag: 'UnknownPosition' }));
});

test('a position is unknown if its entry has another digest', () => {
  const range = { limit: 2, position: countedPosition(2) };
  expect(entriesInRange(entries, { ...range, digest: 'd2' })).toEqual(right([third]));
  expect(entriesInRange(entries, { ...range, digest: 'd1' })).toEqual(left({ _tag: 'UnknownPosition' }));
});

test('a range ends with the entry at which states and resources reach so many characters', () => {
  expect(entriesInRange(entries, { limit: 3, bytes: 3 })).toEqual(right([first, second]));
});
