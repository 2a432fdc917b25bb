import type { ClinicalStore, Commit } from '@clinical-records/core/store';

/** A store that can go back to a marked state, because filling a clinic again for each write takes long. */
export const createRewindableStore = (open: () => ClinicalStore) => {
  let inner = open();
  let isMarked = false;
  const commits: Commit[] = [];

  const store: ClinicalStore = {
    read: (ref) => inner.read(ref),
    readResource: (ref) => inner.readResource(ref),
    search: (query) => inner.search(query),
    readVersion: (ref) => inner.readVersion(ref),
    history: (range) => inner.history(range),
    changesSince: (options) => inner.changesSince(options),
    feedEnd: () => inner.feedEnd(),
    scan: (options) => inner.scan(options),
    indexedParameters: () => inner.indexedParameters(),
    commit: (wanted) => {
      if (!isMarked) commits.push(wanted);
      return inner.commit(wanted);
    },
    commitAll: (wanted, writes) => {
      if (!isMarked) commits.push(...wanted);
      return inner.commitAll(wanted, writes);
    },
    close: () => inner.close(),
  };

  return {
    store,
    mark: () => {
      isMarked = true;
    },
    rewind: async () => {
      await inner.close();
      inner = open();
      for (const commit of commits) await inner.commit(commit);
    },
  };
};
