import { sql } from 'kysely';
import type { PostgresClient } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement, type Statement } from '../statement.ts';
import { runTransaction, type TransactionSettings } from '../transaction.ts';
import type { PlacedGroup } from './feed-head.ts';

/** The outcome of a transaction that had no response. */
export type SettledOutcome = 'written' | 'not written' | 'unknown';

type Found = { readonly has_end: boolean; readonly has_head: boolean };

/** Raises the fence of the end of the feed, so that every transaction fails that does not know of it. */
export const createRaiseFence = (builder: QueryBuilder): Statement<null> =>
  createStatement(builder, () => sql`update ${builder.table('head')} set fence = fence + 1`);

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
  const { table } = builder;
  const raiseFence = createRaiseFence(builder);
  const find = createStatement<PlacedGroup, Found>(builder, (placeholder) => {
    const hasVersion = (place: 'head' | 'end') => sql`exists (
      select from ${table('versions')}
      where position = ${placeholder('bigint', (group) => group[place].position)}
        and digest = ${placeholder('text', (group) => group[place].digest)}
    )`;
    return sql`select ${hasVersion('end')} as has_end, ${hasVersion('head')} as has_head`;
  });
  return async (client, group, limits) => {
    const [, [found] = []] = await runTransaction(
      client,
      [raiseFence.bind(null), find.bind(group)],
      limits,
      limits.lock_timeout,
    );
    const { has_end, has_head } = found as Found;
    if (has_end && group.versions.length > 0) return 'written';
    return has_head || group.head.position === 0 ? 'not written' : 'unknown';
  };
};
