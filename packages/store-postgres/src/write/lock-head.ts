import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement, type Statement } from '../statement.ts';

/** Locks the end of the feed until the end of the transaction, so that nobody else assigns positions meanwhile. */
export const createHeadLock = (builder: QueryBuilder): Statement<null> =>
  createStatement(builder, () => sql`select from ${builder.table('head')} for update`);

/**
 * The time in milliseconds that a group waits for a lock. It is shorter than the time after which PostgreSQL looks for a
 * deadlock, so that the group gives way, and not a transaction of the host. Then others get the client, too.
 */
export const lockTimeout = 400;

/**
 * The time in milliseconds that a commit waits for a lock while it has locked the end of the feed. Only transactions of
 * hosts have what it could wait for, and they may need the end of the feed before they give it up.
 */
const headLockTimeout = 50;

/**
 * The end of the feed, which is locked for the rest of the statement. It is as others have left it, even if the statement
 * had to wait for them. The limit shows PostgreSQL that there is one row, before it has analyzed the table.
 */
export const selectLockedHead = ({ table }: QueryBuilder): RawBuilder<unknown> => sql`
  select position, digest, set_config('lock_timeout', ${sql.lit(`${headLockTimeout}`)}, true) from (
    select position, digest from ${table('head')}
    where set_config('lock_timeout', ${sql.lit(`${lockTimeout}`)}, true) is not null
    for update
  ) as locked
  limit 1`;

/** Locks the end of the feed, and from then on the transaction waits only briefly for other locks. */
export const createBriefHeadLock = (builder: QueryBuilder): Statement<null> =>
  createStatement(
    builder,
    () => sql`
      with locked as materialized (select from ${builder.table('head')} for update)
      select set_config('lock_timeout', ${sql.lit(`${headLockTimeout}`)}, true) from locked`,
  );
