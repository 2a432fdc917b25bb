import { expect, test } from 'vitest';
import { batches } from '../../src/importer/batches.ts';

const sizes = async (resources: readonly { readonly type: string; readonly length: number }[]) => {
  const found: number[] = [];
  for await (const batch of batches(resources)) found.push(batch.length);
  return found;
};
const some = (count: number, type: string, length = 0) =>
  Array.from({ length: count }, () => ({ type, length }));

test('a batch is of one type, and of 256 resources at most', async () => {
  expect(await sizes([...some(300, 'Goal'), ...some(2, 'Patient')])).toEqual([256, 44, 2]);
  expect(await sizes([])).toEqual([]);
});

test('a batch ends where its texts are 4,000,000 characters long together', async () => {
  expect(await sizes(some(5, 'Goal', 2_000_000))).toEqual([2, 2, 1]);
  expect(await sizes(some(3, 'Goal', 9_000_000))).toEqual([1, 1, 1]);
});
