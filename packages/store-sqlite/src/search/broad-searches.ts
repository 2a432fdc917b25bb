import type { Page, Query, StoreError } from '@clinical-records/core';
import { type Either, left } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { openSnapshot } from '../snapshot.ts';
import { terms } from '../terms.ts';
import { createTurns } from '../turns.ts';
import { attempt, closed, unavailable } from '../unavailable.ts';
import { searchRunner } from './run-search.ts';

type Answer = Either<StoreError, Page>;

export type BroadSearches = {
  /** Null where no other handle can be had. */
  readonly search: (query: Query) => Promise<Answer | null>;
  /** Gives up what is running, and resolves once all handles are closed. */
  readonly close: () => Promise<void>;
};

/** How many run beside each other: more would keep each other waiting, and each holds a handle. */
const mostRunning = 4;

/** How many wait for those: whoever comes then is told to come again, rather than to wait for minutes. */
const mostWaiting = 32;

/**
 * Searches that look at many records, piece by piece, with turns of the event loop in between.
 *
 * Each has a handle of its own, which only reads, and holds one moment of the database till the end of the search.
 */
export const broadSearches = (database: SqliteDatabase, db: QueryBuilder): BroadSearches => {
  const nextTurn = createTurns();
  const waiting: (() => void)[] = [];
  const running = new Set<Promise<unknown>>();
  let isOpen = true;

  const runOn = async (handle: SqliteDatabase, query: Query): Promise<Answer> => {
    const run = searchRunner(handle, db, terms(handle, db))(query);
    for (;;) {
      await nextTurn();
      if (!isOpen) return left(closed);
      const { done, value } = run.next();
      if (done) return value;
    }
  };

  const runOnSnapshot = async (query: Query): Promise<Answer | null> => {
    await nextTurn();
    if (!isOpen) return left(closed);
    const snapshot = attempt(() => openSnapshot(database));
    if (snapshot._tag === 'Left' || snapshot.right === null) return null;
    try {
      return await runOn(snapshot.right.database, query);
    } catch (cause) {
      return left(unavailable(cause));
    } finally {
      snapshot.right.close();
    }
  };

  const search = async (query: Query): Promise<Answer | null> => {
    if (running.size >= mostRunning) {
      if (waiting.length >= mostWaiting) return left({ _tag: 'Busy' });
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    if (!isOpen) return left(closed);
    const answer = runOnSnapshot(query);
    running.add(answer);
    try {
      return await answer;
    } finally {
      running.delete(answer);
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
