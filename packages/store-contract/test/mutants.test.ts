import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { type ContractTest, contract, runTest } from '../src/contract.ts';
import { mutants } from './mutants/mutants.ts';

const tests = new Map(contract.flatMap((topic) => topic.tests.map((one) => [one.title, one] as const)));

const findTest = (title: string): ContractTest => {
  const found = tests.get(title);
  if (found === undefined) throw new Error(`No test of the contract is named: ${title}`);
  return found;
};

/** The message of a test that the store does not pass; null if it does. */
const failureOf = (open: Parameters<typeof runTest>[0], one: ContractTest): Promise<unknown> =>
  runTest(open, one).then(
    () => null,
    (complaint: unknown) => complaint,
  );

for (const { defect, caughtBy, open } of mutants) {
  test(`${defect}: caught by "${caughtBy}"`, async () => {
    const complaint = await failureOf(open, findTest(caughtBy));
    expect(complaint, 'the contract lets it pass').toBeInstanceOf(Error);
    // A mutant that does not work at all would be caught by any test.
    expect(complaint).not.toBeInstanceOf(TypeError);
    expect(complaint).not.toBeInstanceOf(ReferenceError);
  });
}

test('the memory store itself, without a fault, passes the whole contract', async () => {
  for (const one of tests.values()) {
    expect([one.title, await failureOf(createMemoryStore, one)]).toEqual([one.title, null]);
  }
});

test('no two tests of the contract have one title', () => {
  expect(tests.size).toBe(contract.flatMap((topic) => topic.tests).length);
});

test('every topic of the contract catches a mutant', () => {
  const needed = new Set(mutants.map(({ caughtBy }) => caughtBy));
  const idle = contract.filter((topic) => !topic.tests.some(({ title }) => needed.has(title)));
  expect(idle.map(({ topic }) => topic)).toEqual([]);
});
