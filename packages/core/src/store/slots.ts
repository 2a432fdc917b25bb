import { type Either, left } from 'fp-ts/lib/Either.js';
import type { StoreError } from './store-error.ts';

/**
 * Creates slots, of which there are so many. A slot does work: while all are taken, further work waits, and that which
 * waits longest comes first.
 */
export const createSlots = (count: number): (<A>(work: () => Promise<A>) => Promise<A>) => {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
};

/** The most broad searches at a time. More would slow each other down, and each has a connection of its own. */
export const maxBroadSearches = 4;

/** The most waiting searches. A further search fails at once instead of waiting for minutes. */
const maxWaiting = 32;

/**
 * Creates the queue of searches that may look at many records. So many run at a time, in the order in which they came.
 * If 32 wait, a further one is `Busy`.
 */
export const createBroadSearchQueue = (
  maxRunning = maxBroadSearches,
): (<A>(search: () => Promise<A>) => Promise<A | Either<StoreError, never>>) => {
  const inSlot = createSlots(maxRunning);
  let unfinished = 0;
  return async (search) => {
    if (unfinished >= maxRunning + maxWaiting) return left({ _tag: 'Busy' });
    unfinished += 1;
    try {
      return await inSlot(search);
    } finally {
      unfinished -= 1;
    }
  };
};
