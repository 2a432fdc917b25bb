import { sql } from 'kysely';
import type { PostgresPool } from './postgres-pool.ts';
import type { QueryBuilder } from './query-builder.ts';
import { createReader, type Reader } from './reader.ts';
import { createStatement } from './statement.ts';
import { createSharedClient } from './use-client.ts';
import { within } from './within.ts';

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

/** The time in milliseconds after which a replica that does not answer is left out. */
const patience = 1000;

/**
 * Creates a check of the primary and all replicas, each of which may be read. Reindexing adds nothing to the feed, so the
 * position of a replica does not show whether it has the new index entries. A version that was found is remembered.
 */
export const createIndexCheckOnAll = (
  builder: QueryBuilder,
  primary: Reader,
  replicas: readonly PostgresPool[],
): IndexCheck => {
  const checkPrimary = createIndexCheck(builder, primary);
  const checkReplicas = replicas.map((pool) =>
    createIndexCheck(builder, createReader(createSharedClient(pool))),
  );
  let known = 1;
  return async (indexVersion) => {
    if (indexVersion <= known) return true;
    if (!(await checkPrimary(indexVersion))) return false;
    // A replica that fails is not read, either.
    const outcomes = await Promise.allSettled(
      checkReplicas.map((check) => within(patience, check(indexVersion))),
    );
    if (outcomes.some((outcome) => outcome.status === 'fulfilled' && !outcome.value)) return false;
    known = indexVersion;
    return true;
  };
};
