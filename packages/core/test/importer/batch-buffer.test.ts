import { expect, test } from 'vitest';
import { createBatchBuffer } from '../../src/importer/batch-importer.ts';

const sizes = (lengths: readonly number[]) => {
  const { add, take } = createBatchBuffer<{ readonly length: number }>();
  const found: number[] = [];
  for (const length of lengths) if (add({ length })) found.push(take().length);
  return [...found, take().length];
};

test('a batch has 512 resources at most', () => {
  expect(sizes(Array(600).fill(0))).toEqual([512, 88]);
  expect(sizes([])).toEqual([0]);
});

test('a batch ends when its texts have 4,000,000 characters together', () => {
  expect(sizes(Array(5).fill(2_000_000))).toEqual([2, 2, 1]);
  expect(sizes(Array(3).fill(9_000_000))).toEqual([1, 1, 1, 0]);
});
