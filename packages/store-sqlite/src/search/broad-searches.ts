import type { SearchPage, SearchQuery, StoreError } from '@clinical-records/core/store';
import { type Either, left } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../schema.ts';
import { openSnapshot } from '../snapshot.ts';
import { attempt, sqliteError, storeClosedError } from '../store-errors.ts';
import { createTermDictionary } from '../term-dictionary.ts';
import { createTurnQueue } from '../turn-queue.ts';
import { createSearchRunner } from './search-runner.ts';

type SearchResult = Either<StoreError, SearchPage>;

export type BroadSearches = {
  /** Returns null if no other handle can be opened. */
  readonly search: (query: SearchQuery) => Promise<SearchResult | null>;
  /** Cancels the running searches, and resolves once all handles are closed. */
  readonly close: () => Promise<void>;
};

/** The most searches at a time. More would slow each other down, and each has a handle. */
const maxRunning = 4;

/** The most waiting searches. A further search fails at once instead of waiting for minutes. */
const maxWaiting = 32;

/**
 * Runs searches that look at many records piece by piece, with turns of the event loop in between.
 *
 * Each search has a read-only handle of its own, which shows one moment of the database until the end of the search.
 */
export const createBroadSearches = (database: SqliteDatabase, db: QueryBuilder): BroadSearches => {
  const nextTurn = createTurnQueue();
  const waiting: (() => void)[] = [];
  const running = new Set<Promise<unknown>>();
  let isOpen = true;

  const runOnHandle = async (handle: SqliteDatabase, query: SearchQuery): Promise<SearchResult> => {
    const run = createSearchRunner(handle, db, createTermDictionary(handle, db))(query);
    for (;;) {
      await nextTurn();
      if (!isOpen) return left(storeClosedError);
      const { done, value } = run.next();
      if (done) return value;
    }
  };

  const runOnSnapshot = async (query: SearchQuery): Promise<SearchResult | null> => {
    await nextTurn();
    if (!isOpen) return left(storeClosedError);
    const snapshot = attempt(() => openSnapshot(database));
    if (snapshot._tag === 'Left' || snapshot.right === null) return null;
    try {
      return await runOnHandle(snapshot.right.database, query);
    } catch (cause) {
      return left(sqliteError(cause));
    } finally {
      snapshot.right.close();
    }
  };

  const search = async (query: SearchQuery): Promise<SearchResult | null> => {
    if (running.size >= maxRunning) {
      if (waiting.length >= maxWaiting) return left({ _tag: 'Busy' });
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    if (!isOpen) return left(storeClosedError);
    const result = runOnSnapshot(query);
    running.add(result);
    try {
      return await result;
    } finally {
      running.delete(result);
      waiting.shift()?.();
    }
  };

  return {
    search,
    close: async () => {
      isOpen = false;
      for (const resume of waiting.splice(0)) resume();
      await Promise.all(running);
    },
  };
};
