import { type RawBuilder, sql } from 'kysely';
import { decodeText } from './text.ts';

/** Stands between two texts. No encoded text contains it. */
const separator = '\u0001,';

/**
 * The encoded texts of several rows as one value, in an order. pg creates an object for each row and a text for each of its
 * columns. To split one text costs less. In a `text[]`, PostgreSQL would escape each quotation mark of a JSON text.
 */
export const joinTexts = (
  text: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): RawBuilder<readonly string[] | null> =>
  sql`string_agg(${text}, ${sql.lit(separator)} order by ${order})::varchar`;

/** The texts of a value of `joinTexts`. */
export const splitTexts = (joined: string): readonly string[] => joined.split(separator).map(decodeText);
