import type { ClinicalStore } from '@clinical-records/core/store';
import { atomicCommits } from './atomic-commits.ts';
import { calls } from './calls.ts';
import { closing } from './closing.ts';
import { commitsAsOne } from './commits-as-one.ts';
import { consistentReads } from './consistent-reads.ts';
import { erasing } from './erasing.ts';
import { expectedVersions } from './expected-versions.ts';
import { feed } from './feed.ts';
import { history } from './history.ts';
import { indexEntries } from './index-entries.ts';
import { largeCommits } from './large-commits.ts';
import { modelBased } from './model-based.ts';
import { oppositeLockOrders } from './opposite-lock-orders.ts';
import type { StoreContractOptions } from './options.ts';
import { paging } from './paging.ts';
import { races } from './races.ts';
import { readingWhileWriting } from './reading-while-writing.ts';
import { reindexing } from './reindexing.ts';
import { resourceReads } from './resource-reads.ts';
import { scan } from './scan.ts';
import { searchByAbsence } from './search-by-absence.ts';
import { searchByDate } from './search-by-date.ts';
import { searchByWord } from './search-by-word.ts';
import { searchConditions } from './search-conditions.ts';
import type { TestBody, TestTopic, WithStore } from './test-topic.ts';
import { textEquality } from './text-equality.ts';
import { textFidelity } from './text-fidelity.ts';
import { versionChecks } from './version-checks.ts';

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
