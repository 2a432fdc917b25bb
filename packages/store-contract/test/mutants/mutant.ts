import {
  type ClinicalStore,
  countedPosition,
  type IndexedRecord,
  matches,
  type Position,
  type RecordChange,
  type RecordRef,
  type SearchQuery,
  type StoreOutcome,
  takeMatches,
} from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import * as E from 'fp-ts/lib/Either.js';
import { isRight } from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';

/** A store with one fault, and the test of the contract that has to notice it. */
export type Mutant = {
  readonly defect: string;
  readonly caughtBy: string;
  readonly open: () => ClinicalStore;
};

/** The memory store with some of its functions replaced by faulty ones. */
export const mutant = (
  defect: string,
  caughtBy: string,
  faulty: (store: ClinicalStore) => Partial<ClinicalStore>,
): Mutant => ({
  defect,
  caughtBy,
  open: () => {
    const store = createMemoryStore();
    return { ...store, ...faulty(store) };
  },
});

export const everything = { limit: Number.MAX_SAFE_INTEGER };

/** The position of the entry before, as the memory store has it. */
export const before = (position: Position | undefined): Position | undefined => {
  const count = Number(position) - 1;
  return count > 0 ? countedPosition(count) : undefined;
};

export const keyOf = ({ type, id }: RecordRef): string => `${type}/${id}`;

/** Maps the result of a call. */
export const mapResult = async <A, B>(called: StoreOutcome<A>, alter: (answer: A) => B) =>
  pipe(await called, E.map(alter));

/** The store with something done to each change on its way in. */
export const rewriteChanges =
  (rewrite: (change: RecordChange) => RecordChange) =>
  (store: ClinicalStore): Partial<ClinicalStore> => ({
    commit: ({ changes, versionChecks }) => store.commit({ changes: changes.map(rewrite), versionChecks }),
  });

/** Is called with the changes of each commit that succeeded. */
export const observeCommits = (
  store: ClinicalStore,
  observe: (changes: readonly RecordChange[]) => void,
): Pick<ClinicalStore, 'commit'> => ({
  commit: async (wanted) => {
    const outcome = await store.commit(wanted);
    if (isRight(outcome)) observe(wanted.changes);
    return outcome;
  },
});

/** A later turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const matchesQuery = (query: SearchQuery) => (record: IndexedRecord) =>
  record.resource !== null && matches(query)(record);

/** A search that looks through all records, in the order in which they come. */
export const replaceSearch = (
  store: ClinicalStore,
  predicate: (query: SearchQuery) => (record: IndexedRecord) => boolean,
  arrange: (records: readonly IndexedRecord[]) => readonly IndexedRecord[] = (records) => records,
): Pick<ClinicalStore, 'search'> => ({
  search: (query) =>
    mapResult(store.scan(everything), (records) => {
      const found = arrange(records).filter(predicate(query));
      const { type, start, withTotal } = query;
      const isLast = ({ type: of, id }: IndexedRecord) =>
        'after' in start && of === type && id === start.after;
      const last = records.findIndex(isLast);
      const rest =
        'offset' in start
          ? found.slice(start.offset)
          : found.filter((one) => last !== -1 && records.indexOf(one) > last);
      const matches = rest.map(({ id, version, at, resource }) => ({
        ...{ id, version, at },
        resource: resource ?? 'null',
      }));
      return { ...takeMatches(matches, query), total: withTotal ? found.length : null };
    }),
});
