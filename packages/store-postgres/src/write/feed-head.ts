import { hash } from 'node:crypto';
import { computeDigest, countedPosition } from '@clinical-records/core/store';
import { sql } from 'kysely';
import type { PostgresClient } from '../postgres-pool.ts';
import type { FeedHead } from '../schema.ts';
import { createStatement, type QueryBuilder, type Statement } from '../statement.ts';
import { runTransaction, type TransactionSettings } from '../transaction.ts';
import type { LockedHead } from './locks.ts';
import { type BoundGroup, isErasing } from './prepared-commit.ts';
import type { DigestedVersion } from './write-statement.ts';

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

/** The end of the feed as a store knows it, to which it can append without reading it. */
type KnownHead = {
  /** The end of the feed; null if it must be read, because others may have moved it. */
  readonly expected: () => FeedHead | null;
  /** Where the store has last left it; null if that is not known. */
  readonly last: () => FeedHead | null;
  /**
   * Must be called with an end of the feed that was read. Returns whether the feed has what the store has last written, so
   * that the database is not an older copy of itself. A write that the store has finished since it asked was there before
   * the end was locked, so the end shows it, too.
   */
  readonly onRead: (head: Omit<LockedHead, 'read_only'>) => boolean;
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

/** The outcome of a transaction that had no response. */
export type SettledOutcome = 'written' | 'not written' | 'unknown';

type FeedCheck = { readonly has_end: boolean; readonly has_head: boolean };

/** Raises the fence of the end of the feed, so that every transaction fails that does not know of it. */
export const createRaiseFence = (builder: QueryBuilder): Statement<null> =>
  createStatement(
    builder,
    'settle',
    ({ tenant }) => sql`update ${builder.table('head')} set fence = fence + 1 where tenant = ${tenant()}`,
  );

/**
 * Creates the function that finds out what became of a transaction in doubt. It waits for its end, unless it takes longer
 * than a lock may. If it has not begun, it never can: it would find a higher fence.
 *
 * The fence is raised even if the transaction was committed, so that its commit is as durable as that of the fence, on a
 * standby, too.
 */
export const createSettle = (
  builder: QueryBuilder,
): ((client: PostgresClient, group: PlacedGroup, limits: TransactionSettings) => Promise<SettledOutcome>) => {
  const raiseFence = createRaiseFence(builder);
  const checkFeed = createStatement<PlacedGroup, FeedCheck>(builder, 'settle', (placeholder) => {
    const hasVersion = (place: 'head' | 'end') => sql`exists (
      select from ${placeholder.rows('versions')} as versions
      where position = ${placeholder('bigint', (group) => group[place].position)}
        and digest = ${placeholder('text', (group) => group[place].digest)}
    )`;
    return sql`select ${hasVersion('end')} as has_end, ${hasVersion('head')} as has_head`;
  });
  return async (client, group, limits) => {
    const [, [check] = []] = await runTransaction(
      client,
      [raiseFence.bind(null), checkFeed.bind(group)],
      limits,
      limits.lock_timeout,
    );
    const { has_end, has_head } = check as FeedCheck;
    if (has_end && group.versions.length > 0) return 'written';
    return has_head || group.head.position === 0 ? 'not written' : 'unknown';
  };
};
