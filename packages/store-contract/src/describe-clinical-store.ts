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
  const unknown = skip.filter((one) => !titles.has(one.test)).map((one) => one.test);
  if (unknown.length > 0) throw new Error(`The contract has no test named: ${unknown.join(' / ')}`);

  describe(name, () => {
    afterEach(async () => remove?.());
    for (const { topic, tests } of contract) {
      describe(topic, () => {
        for (const one of tests) {
          const skipped = skip.find(({ test: title }) => title === one.title);
          if (skipped === undefined) test(one.title, { timeout: testTimeout }, () => runTest(open, one));
          else test.skip(`${one.title} (skipped: ${skipped.reason})`);
        }
      });
    }
  });
};
