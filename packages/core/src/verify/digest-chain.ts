import { sha256 } from '../sha256.ts';
import { computeDigest } from '../store/digest.ts';
import { type FeedPosition, feedPositionOf, feedStart } from '../store/feed-position.ts';
import type { FeedEntry } from '../store/port.ts';
import { createDiscrepancy, type Discrepancy } from './discrepancy.ts';

/** Follows the feed from its beginning, and checks that each version has the digest that it got when it was written. */
export type DigestChain = {
  readonly check: (entries: readonly FeedEntry[]) => readonly Discrepancy[];
  /** The position of the last version so far. */
  readonly head: () => FeedPosition;
  /** Whether the head of an earlier verification was found in the feed. */
  readonly hasFoundHead: () => boolean;
};

export const createDigestChain = (expectedHead: string | undefined): DigestChain => {
  let previous = '';
  let head = feedStart;
  let hasFoundHead = expectedHead === undefined || expectedHead === head;

  /** Relies on the stored digest before it, so that each damaged version is reported by itself. */
  const isSound = (entry: FeedEntry, before: string): boolean =>
    entry.digest === computeDigest(sha256, before, entry);

  return {
    check: (entries) => {
      const unsound = entries.filter((entry, at) => !isSound(entry, entries[at - 1]?.digest ?? previous));
      const last = entries.at(-1);
      if (last !== undefined) {
        previous = last.digest;
        head = feedPositionOf(last);
        hasFoundHead ||= entries.some((entry) => feedPositionOf(entry) === expectedHead);
      }
      return unsound.map((entry) => createDiscrepancy(entry, 'digest'));
    },
    head: () => head,
    hasFoundHead: () => hasFoundHead,
  };
};
