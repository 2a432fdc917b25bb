import { sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement, type Statement } from '../statement.ts';

/** Locks the end of the feed until the end of the transaction, so that nobody else assigns positions meanwhile. */
export const createHeadLock = (builder: QueryBuilder): Statement<null> =>
  createStatement(builder, () => sql`select from ${builder.table('head')} for update`);

/**
 * The time in milliseconds that a commit waits for a lock while it has locked the end of the feed. Only transactions of
 * hosts have what it could wait for, and they may need the end of the feed before they give it up.
 */
const headLockTimeout = 50;

/** Locks the end of the feed, and from then on the transaction waits only briefly for other locks. */
export const createBriefHeadLock = (builder: QueryBuilder): Statement<null> =>
  createStatement(
    builder,
    () => sql`
      with locked as materialized (select from ${builder.table('head')} for update)
      select set_config('lock_timeout', ${sql.lit(`${headLockTimeout}`)}, true) from locked`,
  );
