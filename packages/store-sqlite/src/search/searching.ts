import type { Page, Query, StoreError } from '@clinical-records/core';
import { type Either, flatten } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import type { GroupRead } from '../group-read.ts';
import type { QueryBuilder } from '../query-builder.ts';
import type { Terms } from '../terms.ts';
import { attempt } from '../unavailable.ts';
import { broadSearches } from './broad-searches.ts';
import { searchRunner } from './run-search.ts';

export type Searching = {
  readonly search: (query: Query) => Promise<Either<StoreError, Page>>;
  /** The same within a transaction of the host. */
  readonly inOneGo: (query: Query) => Either<StoreError, Page>;
  readonly close: () => Promise<void>;
};

/** How long a search may take in the turn in which it is asked for, in milliseconds. */
const longestAtOnce = 3;

/** The most steps of a search that can only be run in one go, and so keeps all others waiting. */
const mostStepsInOneGo = 50_000;

/**
 * Answers a search at once, with the other reads of the turn, if that takes no longer than they do; else it begins again as
 * a broad one. In a transaction of the host, of which no other handle knows, and where no other can be had, it runs in one go.
 */
export const searching = (
  database: SqliteDatabase,
  db: QueryBuilder,
  { reads, terms }: { readonly reads: GroupRead; readonly terms: Terms },
): Searching => {
  const run = searchRunner(database, db, terms);
  const broad = broadSearches(database, db);

  const answerAtOnce = database.transaction((query: Query): Either<StoreError, Page> | null => {
    const end = performance.now() + longestAtOnce;
    const search = run(query);
    // One piece at least, whatever the machine does meanwhile.
    do {
      const { done, value } = search.next();
      if (done) return value;
      if (value === 'long') break;
    } while (performance.now() < end);
    return null;
  });

  const answerInOneGo = database.transaction((query: Query): Either<StoreError, Page> => {
    const { maxSteps } = query;
    const bounded =
      maxSteps === undefined ? query : { ...query, maxSteps: Math.min(maxSteps, mostStepsInOneGo) };
    for (const search = run(bounded); ; ) {
      const { done, value } = search.next();
      if (done) return value;
    }
  });

  return {
    search: async (query) => {
      const asked = await reads.read(() => answerAtOnce(query));
      if (asked._tag === 'Left') return asked;
      const answer = asked.right ?? (await broad.search(query));
      if (answer !== null) return answer;
      return flatten(await reads.read(() => answerInOneGo(query)));
    },
    inOneGo: (query) => flatten(attempt(() => answerInOneGo(query))),
    close: broad.close,
  };
};
