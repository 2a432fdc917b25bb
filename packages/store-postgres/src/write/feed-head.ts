import { hash } from 'node:crypto';
import { computeDigest, countedPosition } from '@clinical-records/core/store';
import type { BoundGroup } from './bind-group.ts';
import { isErasing } from './erase.ts';
import type { DigestedVersion } from './write-parts.ts';

/**
 * The row of the end of the feed. A transaction that is in doubt fails if the `fence` has been raised meanwhile. An erasure
 * raises it, too, so that no other store relies on a term that is gone.
 */
export type FeedHead = { readonly position: number; readonly digest: string; readonly fence: number };

/** A group whose versions have their places behind the end of the feed. */
export type PlacedGroup = BoundGroup & {
  readonly versions: readonly DigestedVersion[];
  /** The end of the feed before. */
  readonly head: FeedHead;
  /** The end of the feed once the group is written. */
  readonly end: FeedHead;
};

export const sha256 = (text: string): string => hash('sha256', text);

/** Gives the versions of a group the places behind the end of the feed. */
export const placeGroup = (bound: BoundGroup, head: FeedHead): PlacedGroup => {
  let { position, digest } = head;
  const versions = bound.versions.map((version): DigestedVersion => {
    position += 1;
    digest = computeDigest(sha256, digest, {
      ...version.content,
      version: version.before + 1,
      position: countedPosition(position),
    });
    return { ...version, digest };
  });
  const fence = isErasing(versions) ? head.fence + 1 : head.fence;
  return { ...bound, versions, head, end: { position, digest, fence } };
};
