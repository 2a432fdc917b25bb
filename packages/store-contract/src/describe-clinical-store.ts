import type { ClinicalStore } from '@clinical-records/core';
import { afterEach, describe, test } from 'vitest';
import { atomicCommits } from './atomic-commits.ts';
import { closing } from './closing.ts';
import { expectedVersions } from './expected-versions.ts';
import { feed } from './feed.ts';
import { history } from './history.ts';
import { indexEntries } from './index-entries.ts';
import { modelBased } from './model-based.ts';
import type { StoreContractOptions } from './options.ts';
import { paging } from './paging.ts';
import { premises } from './premises.ts';
import { races } from './races.ts';
import { scan } from './scan.ts';
import { searchByDate } from './search-by-date.ts';
import { searchConditions } from './search-conditions.ts';
import { texts } from './texts.ts';
import type { StoreTest, Topic } from './topic.ts';

const topics: readonly [title: string, topic: Topic][] = [
  ['expected versions', expectedVersions],
  ['premises', premises],
  ['atomic commits', atomicCommits],
  ['races', races],
  ['search', searchConditions],
  ['search by date', searchByDate],
  ['index entries', indexEntries],
  ['pages', paging],
  ['history', history],
  ['feed', feed],
  ['scan', scan],
  ['texts', texts],
  ['closing', closing],
  ['model', modelBased],
];

/** Milliseconds. What a store answers is tested, not how fast. */
const timeout = 60_000;

/**
 * Registers vitest suites that hold a store to every word of the port: `ClinicalStore` of @clinical-records/core.
 *
 * @example
 * describeClinicalStore({ name: 'memory', open: () => createMemoryStore() });
 */
export const describeClinicalStore = ({ name, open, remove, skip = [] }: StoreContractOptions): void => {
  const withStore = async (body: (store: ClinicalStore) => Promise<void>): Promise<void> => {
    const store = await open();
    try {
      await body(store);
    } finally {
      await store.close()();
    }
  };

  const names = new Set<string>();

  const storeTest: StoreTest = (title, body) => {
    names.add(title);
    const skipped = skip.find((one) => one.test === title);
    if (skipped === undefined) test(title, { timeout }, () => withStore(body));
    else test.skip(`${title} (skipped: ${skipped.reason})`);
  };

  describe(name, () => {
    afterEach(async () => remove?.());
    for (const [title, topic] of topics) describe(title, () => topic(storeTest, withStore));
  });

  const unknown = skip.filter((one) => !names.has(one.test)).map((one) => one.test);
  if (unknown.length > 0) throw new Error(`No test of the contract is named: ${unknown.join(' / ')}`);
};
