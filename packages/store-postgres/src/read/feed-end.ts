import { countedPosition, type FeedEnd } from '@clinical-records/core/store';
import { sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import type { Reader } from '../reader.ts';
import { createStatement } from '../statement.ts';

type HeadRow = { readonly position: number; readonly digest: string };

/** Reads the end of the feed. */
export const createReadFeedEnd = (builder: QueryBuilder, reader: Reader): (() => Promise<FeedEnd | null>) => {
  const statement = createStatement<null, HeadRow>(
    builder,
    () => sql`select position, digest from ${builder.table('head')} where position > 0`,
  );
  return async () => {
    const [head] = await reader(statement, null);
    return head === undefined ? null : { ...head, position: countedPosition(head.position) };
  };
};
