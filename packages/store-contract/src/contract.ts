import type { ClinicalStore } from '@clinical-records/core/store';
import { calls } from './calls.ts';
import { closing } from './closing.ts';
import { atomicCommits } from './commits/atomic-commits.ts';
import { commitsAsOne } from './commits/commits-as-one.ts';
import { expectedVersions } from './commits/expected-versions.ts';
import { largeCommits } from './commits/large-commits.ts';
import { oppositeLockOrders } from './commits/opposite-lock-orders.ts';
import { races } from './commits/races.ts';
import { versionChecks } from './commits/version-checks.ts';
import { erasing } from './erasing.ts';
import { modelBased } from './model-based.ts';
import type { StoreContractOptions } from './options.ts';
import { consistentReads } from './reads/consistent-reads.ts';
import { feed } from './reads/feed.ts';
import { history } from './reads/history.ts';
import { ordering } from './reads/ordering.ts';
import { paging } from './reads/paging.ts';
import { readingWhileWriting } from './reads/reading-while-writing.ts';
import { resourceReads } from './reads/resource-reads.ts';
import { scan } from './reads/scan.ts';
import { textFidelity } from './reads/text-fidelity.ts';
import { indexEntries } from './searches/index-entries.ts';
import { reindexing } from './searches/reindexing.ts';
import { searchByAbsence } from './searches/search-by-absence.ts';
import { searchByDate } from './searches/search-by-date.ts';
import { searchByWord } from './searches/search-by-word.ts';
import { searchConditions } from './searches/search-conditions.ts';
import { textEquality } from './searches/text-equality.ts';
import type { TestBody, TestTopic, WithStore } from './test-topic.ts';

export type ContractTest = { readonly title: string; readonly body: TestBody };

const topics: readonly [name: string, topic: TestTopic][] = [
  ['calls', calls],
  ['expected versions', expectedVersions],
  ['version checks', versionChecks],
  ['atomic commits', atomicCommits],
  ['commits as one', commitsAsOne],
  ['large commits', largeCommits],
  ['races', races],
  ['crossed commits', oppositeLockOrders],
  ['reading', resourceReads],
  ['search', searchConditions],
  ['search by date', searchByDate],
  ['search by word', searchByWord],
  ['search by absence', searchByAbsence],
  ['index entries', indexEntries],
  ['reindexing', reindexing],
  ['erasing', erasing],
  ['pages', paging],
  ['order', ordering],
  ['history', history],
  ['feed', feed],
  ['scan', scan],
  ['following', readingWhileWriting],
  ['one moment', consistentReads],
  ['texts', textFidelity],
  ['texts apart', textEquality],
  ['closing', closing],
  ['model', modelBased],
];

const testsOf = (topic: TestTopic): readonly ContractTest[] => {
  const tests: ContractTest[] = [];
  topic((title, body) => tests.push({ title, body }));
  return tests;
};

/** All tests of a store, as data: the caller decides how to run them. */
export const contract: readonly { readonly topic: string; readonly tests: readonly ContractTest[] }[] =
  topics.map(([name, topic]) => ({ topic: name, tests: testsOf(topic) }));

const withStore =
  (open: StoreContractOptions['open']): WithStore =>
  async (body: (store: ClinicalStore) => Promise<void>) => {
    const store = await open();
    try {
      await body(store);
    } finally {
      // The test may have closed it.
      await store.close().catch(() => {});
    }
  };

/** Runs one test. Rejects if the store does not pass it. */
export const runTest = (open: StoreContractOptions['open'], { body }: ContractTest): Promise<void> =>
  withStore(open)((store) => body(store, withStore(open)));
