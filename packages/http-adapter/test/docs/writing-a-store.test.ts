import { expect, test } from 'vitest';
import { contract } from '../../../store-contract/src/contract.ts';
import { gap } from './gap.ts';

test('the gap that the document shows is named as a test of the contract', () => {
  const titles = contract.flatMap(({ tests }) => tests.map(({ title }) => title));
  expect(gap.skip?.map((one) => one.test).filter((title) => !titles.includes(title))).toEqual([]);
});
