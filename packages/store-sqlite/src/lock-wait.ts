import { setTimeout } from 'node:timers/promises';
import type { StoreError, StoreOutcome } from '@clinical-records/core/store';
import { type Either, isLeft } from 'fp-ts/lib/Either.js';
import { lockTimeoutOf, type SqliteDatabase } from './database.ts';

/** How many milliseconds lie between two attempts to get a lock that another process holds. */
export const lockInterval = 5;

export const isLocked = (result: Either<StoreError, unknown>): boolean =>
  isLeft(result) && result.left._tag === 'Locked';

/** Whether work that began to wait for a lock at a time of `performance.now()` waits no longer. */
export const hasWaited = (database: SqliteDatabase, since: number): boolean =>
  performance.now() - since >= lockTimeoutOf(database);

/**
 * Tries work until no other process holds the lock that it needs, or the result is the error of the last attempt. SQLite
 * itself would wait within the call, and nothing else in this process would run meanwhile.
 */
export const waitForLock = async <A>(
  database: SqliteDatabase,
  work: () => Either<StoreError, A> | StoreOutcome<A>,
): StoreOutcome<A> => {
  const since = performance.now();
  for (;;) {
    const result = await work();
    if (!isLocked(result) || hasWaited(database, since)) return result;
    await setTimeout(lockInterval);
  }
};
