import { type RawBuilder, sql } from 'kysely';

/**
 * From here on, positions are provisional. A version that a transaction of the host has written has one until the
 * transaction ends, so that it takes no place in the feed before.
 */
export const firstProvisional = 2 ** 52;

export const firstProvisionalPosition: RawBuilder<number> = sql.lit(firstProvisional);
