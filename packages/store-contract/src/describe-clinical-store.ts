import { afterEach, describe, test } from 'vitest';
import { contract, runTest } from './contract.ts';
import type { StoreContractOptions } from './options.ts';
import { testTimeout } from './test-topic.ts';

/**
 * Registers vitest suites that check every statement of the port: `ClinicalStore` of @clinical-records/core.
 *
 * @example
 * describeClinicalStore({ name: 'memory', open: () => createMemoryStore() });
 */
export const describeClinicalStore = ({ name, open, remove, skip = [] }: StoreContractOptions): void => {
  const titles = new Set(contract.flatMap(({ tests }) => tests.map(({ title }) => title)));
  const unknown = skip.map((skipped) => skipped.test).filter((title) => !titles.has(title));
  if (unknown.length > 0) throw new Error(`The contract has no test named: ${unknown.join(' / ')}`);

  describe(name, () => {
    afterEach(async () => remove?.());
    for (const { topic, tests } of contract) {
      describe(topic, () => {
        for (const contractTest of tests) {
          const skipped = skip.find(({ test: title }) => title === contractTest.title);
          if (skipped === undefined)
            test(contractTest.title, { timeout: testTimeout }, () => runTest(open, contractTest));
          else test.skip(`${contractTest.title} (skipped: ${skipped.reason})`);
        }
      });
    }
  });
};
