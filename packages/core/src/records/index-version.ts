import * as E from 'fp-ts/lib/Either.js';
import { ClinicalRecordsError } from '../outcome.ts';
import type { ClinicalStore, Commit, StoreOutcome } from '../store/port.ts';

/**
 * The version of the index entries that the definitions derive. It is raised with each change of them, and each search
 * parameter says since which version it is indexed.
 */
const currentIndexVersion = 4;

/** The commit that only sets the index version of a store. */
export const indexVersionCommit: Commit = {
  changes: [],
  versionChecks: [],
  reindexing: { records: [], indexVersion: currentIndexVersion },
};

/** Whether the store is known to have records, or to have the index version. */
export type IndexState = { isBegun: boolean };

/** Whether the store has no records. It then has no index version yet, and a search finds nothing. */
const isEmpty = async (store: ClinicalStore, { isBegun }: IndexState): StoreOutcome<boolean> => {
  if (isBegun) return E.right(false);
  const first = await store.scan({ limit: 1 });
  return E.isLeft(first) ? first : E.right(first.right.length === 0);
};

/** Sets the index version of a store without records. */
const begin = async (store: ClinicalStore, state: IndexState): StoreOutcome<unknown> => {
  if (state.isBegun) return E.right(undefined);
  const empty = await isEmpty(store, state);
  if (E.isLeft(empty)) return empty;
  const begun = empty.right ? await store.commit(indexVersionCommit) : E.right([]);
  state.isBegun = E.isRight(begun);
  return begun;
};

/**
 * The store, with the current index version from its first commit on. A store that has records has the version under which
 * they were written. It calls the functions of the store, which may be a class or be replaced in a test.
 */
export const withIndexVersion = <Connection>(
  store: ClinicalStore<Connection>,
  state: IndexState,
): ClinicalStore<Connection> => ({
  read: (ref) => store.read(ref),
  readResource: (ref) => store.readResource(ref),
  search: async (query) => {
    const found = await store.search(query);
    if (E.isRight(found) || found.left._tag !== 'OutdatedIndex') return found;
    const empty = await isEmpty(store, state);
    if (E.isLeft(empty) || !empty.right) return found;
    return E.right({ matches: [], hasMore: false, total: query.withTotal ? 0 : null });
  },
  readVersion: (ref) => store.readVersion(ref),
  history: (range) => store.history(range),
  changesSince: (range) => store.changesSince(range),
  feedEnd: () => store.feedEnd(),
  scan: (range) => store.scan(range),
  close: () => store.close(),
  ...(store.begin !== undefined && { begin: store.begin }),
  ...(store.callContext !== undefined && { callContext: store.callContext }),
  commit: async (commit) => {
    const begun = await begin(store, state);
    return E.isLeft(begun) ? begun : store.commit(commit);
  },
  commitAll: async (commits, writes) => {
    const begun = await begin(store, state);
    return E.isLeft(begun) ? begun : store.commitAll(commits, writes);
  },
});

/** Whether the store has the current index version. Rejects with a `ClinicalRecordsError`. */
export const isIndexCurrent = async (store: ClinicalStore): Promise<boolean> => {
  const page = { type: 'Patient', conditions: [], start: { offset: 0 }, count: 0, withTotal: false };
  const read = await store.search({ ...page, indexVersion: currentIndexVersion });
  if (E.isRight(read)) return true;
  if (read.left._tag === 'OutdatedIndex') return false;
  throw new ClinicalRecordsError(read.left);
};
