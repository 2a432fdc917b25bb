import { type ClinicalStore, type Commit, orThrow } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';

/**
 * Fills a store in memory once. Returns what `fill` returned, and a function that repeats the commits on a new store. To decide on
 * them again would take five times as long.
 */
export const recordCommits = async <A>(fill: (store: ClinicalStore) => Promise<A>) => {
  const commits: Commit[] = [];
  const store = createMemoryStore();
  const commit: ClinicalStore['commit'] = (one) => {
    commits.push(one);
    return store.commit(one);
  };
  const filled = await fill({ ...store, commit });
  const repeat = async (): Promise<ClinicalStore> => {
    const repeated = createMemoryStore();
    for (const one of commits) await orThrow(repeated.commit(one));
    return repeated;
  };
  return { filled, repeat };
};
