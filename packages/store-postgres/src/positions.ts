import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from './query-builder.ts';

/**
 * From here on, positions are provisional. A version that a transaction of the host has written has one until the
 * transaction ends, so that it takes no place in the feed before.
 */
const firstProvisional = 2 ** 52;

export const firstProvisionalPosition: RawBuilder<number> = sql.lit(firstProvisional);

/** A provisional position that no other version ever has. */
export const nextProvisionalPosition = ({ schema }: QueryBuilder): RawBuilder<number> =>
  sql`nextval(${sql.lit(`"${schema.replaceAll('"', '""')}".provisional_positions`)}::regclass)`;
