import type { ClinicalStore } from '@clinical-records/core';
import { atomicCommits } from './atomic-commits.ts';
import { closing } from './closing.ts';
import { crossedCommits } from './crossed-commits.ts';
import { expectedVersions } from './expected-versions.ts';
import { feed } from './feed.ts';
import { following } from './following.ts';
import { history } from './history.ts';
import { indexEntries } from './index-entries.ts';
import { largeCommits } from './large-commits.ts';
import { modelBased } from './model-based.ts';
import { oneMoment } from './one-moment.ts';
import type { StoreContractOptions } from './options.ts';
import { paging } from './paging.ts';
import { premises } from './premises.ts';
import { races } from './races.ts';
import { reading } from './reading.ts';
import { scan } from './scan.ts';
import { searchByDate } from './search-by-date.ts';
import { searchConditions } from './search-conditions.ts';
import { tasks } from './tasks.ts';
import { texts } from './texts.ts';
import { textsApart } from './texts-apart.ts';
import type { Body, Topic, WithStore } from './topic.ts';

export type ContractTest = { readonly title: string; readonly body: Body };

const topics: readonly [name: string, topic: Topic][] = [
  ['tasks', tasks],
  ['expected versions', expectedVersions],
  ['premises', premises],
  ['atomic commits', atomicCommits],
  ['large commits', largeCommits],
  ['races', races],
  ['crossed commits', crossedCommits],
  ['reading', reading],
  ['search', searchConditions],
  ['search by date', searchByDate],
  ['index entries', indexEntries],
  ['pages', paging],
  ['history', history],
  ['feed', feed],
  ['scan', scan],
  ['following', following],
  ['one moment', oneMoment],
  ['texts', texts],
  ['texts apart', textsApart],
  ['closing', closing],
  ['model', modelBased],
];

const testsOf = (topic: Topic): readonly ContractTest[] => {
  const tests: ContractTest[] = [];
  topic((title, body) => tests.push({ title, body }));
  return tests;
};

/** All that is asked of a store, as data: whoever runs it decides how. */
export const contract: readonly { readonly topic: string; readonly tests: readonly ContractTest[] }[] =
  topics.map(([name, topic]) => ({ topic: name, tests: testsOf(topic) }));

const withStore =
  (open: StoreContractOptions['open']): WithStore =>
  async (body: (store: ClinicalStore) => Promise<void>) => {
    const store = await open();
    try {
      await body(store);
    } finally {
      await store.close()();
    }
  };

/** Rejects where the store does not pass. */
export const runTest = (open: StoreContractOptions['open'], { body }: ContractTest): Promise<void> =>
  withStore(open)((store) => body(store, withStore(open)));
