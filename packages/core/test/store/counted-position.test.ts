import { expect, test } from 'vitest';
import type { Position } from '../../src/store/port.ts';
import { countAt, countedPosition } from '../../src/store/versions.ts';

test.each([1, 9, 10, 5000, Number.MAX_SAFE_INTEGER])('a counted position of %i has that count', (count) => {
  expect(countAt(countedPosition(count))).toBe(count);
});

test('an absent position has the count 0', () => {
  expect(countAt(undefined)).toBe(0);
});

test.each(['', '0', '-1', '1.5', '01', '+1', ' 1', '1 ', '1e3', '0x1', 'NaN', 'Infinity', 'x'])(
  '%j is not a counted position',
  (text) => {
    expect(countAt(text as Position)).toBeNull();
  },
);
