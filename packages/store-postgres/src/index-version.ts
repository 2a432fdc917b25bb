import { sql } from 'kysely';
import type { QueryBuilder } from './query-builder.ts';
import type { Reader } from './reader.ts';
import { createStatement } from './statement.ts';

/** Whether the store has at least an index version. */
export type IndexCheck = (indexVersion: number) => Promise<boolean>;

/** Creates a check of the server that a reader reads. */
export const createIndexCheck = (builder: QueryBuilder, reader: Reader): IndexCheck => {
  const statement = createStatement<null, { readonly version: number }>(
    builder,
    () => sql`select coalesce(max(version), 1) as version from ${builder.table('index_version')}`,
  );
  return async (indexVersion) => {
    const [row] = await reader(statement, null);
    return indexVersion <= (row?.version ?? 1);
  };
};
