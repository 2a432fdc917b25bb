import type { FeedHead } from './feed-head.ts';
import type { LockedHead } from './lock-head.ts';

/** The end of the feed as a store knows it, to which it can append without reading it. */
export type KnownHead = {
  /** The end of the feed; null if it must be read, because others may have moved it. */
  readonly expected: () => FeedHead | null;
  /** Where the store has last left it; null if that is not known. */
  readonly last: () => FeedHead | null;
  /**
   * Must be called with an end of the feed that was read. Returns whether the feed has what the store has last written, so
   * that the database is not an older copy of itself. A write that the store has finished since it asked was there before
   * the end was locked, so the end shows it, too.
   */
  readonly onRead: (head: LockedHead) => boolean;
  /** Must be called with the end of the feed that a transaction has left. */
  readonly onWritten: (end: FeedHead) => void;
  /** Must be called if the database may be an older copy of itself. */
  readonly forget: () => void;
};

/**
 * Remembers where the last transaction has left the end of the feed. While others write, too, that does not help, and the end
 * is read each time: until it is found where it was left.
 */
export const createKnownHead = (): KnownHead => {
  let last: FeedHead | null = null;
  let isAlone = true;
  return {
    expected: () => (isAlone ? last : null),
    last: () => last,
    onRead: ({ position, fence, has_last }) => {
      if (!has_last) last = null;
      isAlone = last === null || (position === last.position && fence === last.fence);
      return has_last;
    },
    onWritten: (end) => {
      // Of transactions that end at the same time, the later one may be the first that is known to have ended.
      if (last === null || end.position >= last.position) last = end;
    },
    forget: () => {
      last = null;
    },
  };
};
