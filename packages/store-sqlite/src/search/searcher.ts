import type { SearchPage, SearchQuery, StoreError } from '@clinical-records/core/store';
import { type Either, flatten, left } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import type { GroupRead } from '../group-read.ts';
import type { QueryBuilder } from '../schema.ts';
import { attempt } from '../store-errors.ts';
import { createIndexVersion, type TermDictionary } from '../term-dictionary.ts';
import { createBroadSearches } from './broad-searches.ts';
import { createSearchRunner } from './search-runner.ts';

export type Searcher = {
  readonly search: (query: SearchQuery) => Promise<Either<StoreError, SearchPage>>;
  /** Searches within a transaction of the host. */
  readonly searchSynchronously: (query: SearchQuery) => Either<StoreError, SearchPage>;
  readonly close: () => Promise<void>;
};

/** The time in milliseconds that a search may take within the turn of its request. */
const maxBriefTime = 3;

/** The most steps of a search that cannot be split, and so blocks all others. */
const maxSynchronousSteps = 50_000;

const outdatedIndex = left<StoreError>({ _tag: 'OutdatedIndex' });

/**
 * Runs a search at once, with the other reads of the turn, if that takes no longer than they do. Otherwise it begins
 * again as a broad search. In a transaction of the host, which no other handle can see, and without another handle, it
 * runs in one go.
 */
export const createSearcher = (
  database: SqliteDatabase,
  db: QueryBuilder,
  { reads, terms }: { readonly reads: GroupRead; readonly terms: TermDictionary },
): Searcher => {
  const run = createSearchRunner(database, db, terms);
  const broad = createBroadSearches(database, db);

  const { isAtLeast } = createIndexVersion(database, db);
  const hasIndex = ({ indexVersion }: SearchQuery): boolean =>
    indexVersion === undefined || isAtLeast(indexVersion);

  const searchBriefly = database.transaction((query: SearchQuery): Either<StoreError, SearchPage> | null => {
    if (!hasIndex(query)) return outdatedIndex;
    const end = performance.now() + maxBriefTime;
    const search = run(query);
    // Always runs at least one piece, however slow the machine is.
    do {
      const { done, value } = search.next();
      if (done) return value;
      if (value === 'long') break;
    } while (performance.now() < end);
    return null;
  });

  const runSynchronously = database.transaction((query: SearchQuery): Either<StoreError, SearchPage> => {
    if (!hasIndex(query)) return outdatedIndex;
    const { maxSteps } = query;
    const bounded =
      maxSteps === undefined ? query : { ...query, maxSteps: Math.min(maxSteps, maxSynchronousSteps) };
    for (const search = run(bounded); ; ) {
      const { done, value } = search.next();
      if (done) return value;
    }
  });

  return {
    search: async (query) => {
      const briefResult = await reads.read(() => searchBriefly(query));
      if (briefResult._tag === 'Left') return briefResult;
      const result = briefResult.right ?? (await broad.search(query));
      if (result !== null) return result;
      return flatten(await reads.read(() => runSynchronously(query)));
    },
    searchSynchronously: (query) => flatten(attempt(() => runSynchronously(query))),
    close: broad.close,
  };
};
