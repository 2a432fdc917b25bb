import { sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement, type Statement } from '../statement.ts';
import type { FeedHead } from './feed-head.ts';

/** The end of the feed, and whether the feed has what the store has last written. */
export type LockedHead = FeedHead & { readonly has_last: boolean };

/**
 * Locks the end of the feed until the end of the transaction, so that nobody else assigns positions meanwhile, and reads
 * it. Its argument is where the store has last left it; null if it does not know.
 */
export const createHeadLock = (builder: QueryBuilder): Statement<FeedHead | null, LockedHead> => {
  const { table } = builder;
  return createStatement<FeedHead | null, LockedHead>(
    builder,
    (placeholder) => sql`
      select position, digest, fence, exists (
        select from ${table('versions')} as versions
        where versions.position = ${placeholder('bigint', (last) => last?.position ?? 0)}
          and versions.digest = ${placeholder('text', (last) => last?.digest ?? '')}
      ) as has_last
      from ${table('head')} as head for update of head`,
  );
};

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
