import { expect, test } from 'vitest';
import { restartDelay } from '../../processes/restart-delay.ts';

const endsAt = (count: number, time: number): readonly number[] => Array.from({ length: count }, () => time);

test('the first process that ends is replaced at once, and each further one after twice as long', () => {
  const delays = [1, 2, 3, 4, 5, 6].map((count) => restartDelay(endsAt(count, 500), 500));
  expect(delays).toEqual([0, 100, 200, 400, 800, 1_600]);
});

test('a process is not replaced if it is the seventh to end within a minute', () => {
  expect(restartDelay(endsAt(7, 0), 59_999)).toBeNull();
});

test('an end more than a minute ago does not count', () => {
  expect(restartDelay([...endsAt(7, 0), 60_000], 60_000)).toBe(0);
});
