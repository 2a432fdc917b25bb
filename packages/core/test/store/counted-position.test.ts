import { expect, test } from 'vitest';
import { countAt, countedPosition } from '../../src/store/counted-position.ts';
import type { Position } from '../../src/store/port.ts';

test.each([1, 9, 10, 5000, Number.MAX_SAFE_INTEGER])('a position that counts %i says so', (count) => {
  expect(countAt(countedPosition(count))).toBe(count);
});

test('where there is no position yet, nothing is counted', () => {
  expect(countAt(undefined)).toBe(0);
});

test.each(['', '0', '-1', '1.5', '01', '+1', ' 1', '1 ', '1e3', '0x1', 'NaN', 'Infinity', 'x'])(
  '%j is not a position that counts',
  (text) => {
    expect(countAt(text as Position)).toBeNull();
  },
);
