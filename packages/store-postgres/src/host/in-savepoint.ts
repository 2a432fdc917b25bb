import { isConnectionLost, isTransient } from '../postgres-errors.ts';
import type { PostgresClient, PostgresQuery } from '../postgres-pool.ts';

type Rows = readonly (readonly unknown[])[];

const savepoint = { text: 'savepoint clinical_records' };
const release = { text: 'release savepoint clinical_records' };
const undo = { text: 'rollback to savepoint clinical_records; release savepoint clinical_records' };

/** They are sent together. So no statement of the host comes between them, and is undone with them unnoticed. */
const tryInSavepoint = async (client: PostgresClient, queries: readonly PostgresQuery[]): Promise<Rows> => {
  const [begun, ...results] = await Promise.allSettled(
    [savepoint, ...queries, release].map((query) => client.query(query)),
  );
  if (begun?.status === 'rejected') throw begun.reason;
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) {
    if (!isConnectionLost(failure.reason)) await client.query(undo);
    throw failure.reason;
  }
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.rows] : []));
};

/**
 * Runs queries in a transaction so that all of them are undone if one fails, and the transaction goes on. Returns the rows
 * of each. If another transaction was in the way, they run again until a time by `performance.now()`.
 */
export const runInSavepoint = async (
  client: PostgresClient,
  queries: readonly PostgresQuery[],
  end: number,
): Promise<Rows> => {
  for (;;) {
    try {
      return await tryInSavepoint(client, queries);
    } catch (cause) {
      if (!isTransient(cause) || performance.now() > end) throw cause;
    }
  }
};
