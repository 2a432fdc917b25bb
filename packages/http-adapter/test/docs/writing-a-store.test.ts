import { expect, test } from 'vitest';
import { contract } from '../../../store-contract/src/contract.ts';
import { skippedTests } from './skipped-tests.ts';

test('the skipped test in the document is a test of the contract', () => {
  const titles = contract.flatMap(({ tests }) => tests.map(({ title }) => title));
  expect(skippedTests.skip?.map((one) => one.test).filter((title) => !titles.includes(title))).toEqual([]);
});
