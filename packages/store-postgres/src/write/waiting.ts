import { within } from '../within.ts';

/**
 * The time in milliseconds that a group waits for a lock. It is shorter than the time after which PostgreSQL looks for a
 * deadlock, so that the group gives way, and not a transaction of the host. Then others get the client, too.
 */
export const lockTimeout = 400;

/**
 * The time in milliseconds that a commit waits for a lock while it has locked the end of the feed. Only transactions of
 * hosts have what it could wait for, and they may need the end of the feed before they give it up.
 */
export const headLockTimeout = 50;

/**
 * The time in milliseconds after which PostgreSQL ends a transaction whose client sends no more. If the client's machine is
 * gone, others wait so long for the end of the feed. A process that only stood still writes the group again.
 */
export const idleTimeout = 2000;

/** The milliseconds until a time, as a limit: at least 1, because 0 would mean no limit. */
export const msUntil = (end: number): number => Math.max(1, Math.ceil(end - performance.now()));

/**
 * How many milliseconds a commit that has so much time waits for an answer. The other half is for finding out on another
 * connection what became of it. A lock is waited for half as long at most.
 */
export const answerTimeout = (end: number): number => Math.max(2 * lockTimeout, msUntil(end) / 2);

/** How long a group may wait. */
export type WaitLimit = {
  /** The time by which all waiting is over, by `performance.now()`. */
  readonly end: number;
  /** Whether it waits for locked records for a moment. Otherwise a locked record is an error at once. */
  readonly waitsForLocks: boolean;
};

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const firstPause = 20;
const longestPause = 500;

/** Does work again and again until it succeeds, or until a time by `performance.now()`. Then it returns null. */
export const succeedBy = async <A>(end: number, work: () => Promise<A>): Promise<A | null> => {
  for (let milliseconds = firstPause; performance.now() < end; milliseconds *= 2) {
    try {
      return await within(msUntil(end), work());
    } catch {
      await pause(Math.min(milliseconds, longestPause));
    }
  }
  return null;
};
