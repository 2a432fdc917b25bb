import type { StoreError } from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { isCanceled, postgresError } from '../postgres-errors.ts';
import type { PostgresPool } from '../postgres-pool.ts';
import type { Reader } from '../reader.ts';

/** The most broad searches at a time. More would slow each other down, and each has a client. */
const maxRunning = 4;

/** The most waiting searches. A further search fails at once instead of waiting for minutes. */
const maxWaiting = 32;

/** Runs searches that may look at many records, a few at a time, and none for long. */
export type BroadSearches = {
  readonly reader: Reader;
  /** Runs a search that uses the reader, or fails if too many wait. */
  readonly run: <A>(search: () => Promise<A>) => Promise<Either<StoreError, A>>;
};

/** How many run at a time, so that a client is left for other work. A pool of one has none to leave. */
const runningOn = (pools: readonly PostgresPool[]): number =>
  Math.max(1, Math.min(maxRunning, ...pools.map(({ options }) => (options?.max ?? Infinity) - 1)));

/** Creates the runner of broad searches, with the reader of some pools. */
export const createBroadSearches = (reader: Reader, pools: readonly PostgresPool[]): BroadSearches => {
  const mostRunning = runningOn(pools);
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    reader,
    run: async (search) => {
      if (running >= mostRunning) {
        if (waiting.length >= maxWaiting) return left({ _tag: 'Busy' });
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      running += 1;
      try {
        return right(await search());
      } catch (cause) {
        return left(isCanceled(cause) ? { _tag: 'TooCostly' } : postgresError(cause));
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
  };
};
