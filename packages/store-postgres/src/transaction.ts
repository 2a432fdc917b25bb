import { isConnectionLost } from './postgres-errors.ts';
import type { PostgresClient, PostgresQuery } from './postgres-pool.ts';

/** The response to a transaction was lost, so that it may be committed or not. */
export class InDoubtError extends Error {}

/** PostgreSQL has rolled a transaction back instead of committing it, because a statement in it had failed. */
export class RolledBackError extends Error {}

/** Settings of PostgreSQL for a transaction. Times are in milliseconds. */
export type TransactionSettings = {
  readonly lock_timeout?: number;
  readonly statement_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
  /** Shows statements that they are in this transaction, and do not run each by itself because it did not begin. */
  readonly 'clinical_records.transaction'?: string;
};

/**
 * The query that begins a transaction. The settings end with it. PostgreSQL would compile large statements for a second,
 * which run for a millisecond.
 */
export const beginTransaction = (settings: TransactionSettings): PostgresQuery => {
  const limits = Object.entries({ jit: 'off', ...settings }).map(
    ([name, value]) => `; set local ${name} = '${value}'`,
  );
  return { text: `begin isolation level read committed${limits.join('')}` };
};

/**
 * Runs queries, the last ones of a transaction, and commits it, all of it sent at once. If it throws anything but
 * `InDoubtError`, nothing of the transaction is or will be committed. Returns the rows of each query.
 */
export const commitTransaction = async (
  client: PostgresClient,
  queries: readonly PostgresQuery[],
): Promise<readonly (readonly unknown[])[]> => {
  const results = await Promise.allSettled(
    [...queries, { text: 'commit' }].map((query) => client.query(query)),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) {
    // After an error of a query, PostgreSQL does not commit, whatever comes afterwards.
    if (isConnectionLost(failure.reason))
      throw new InDoubtError('COMMIT had no response.', { cause: failure.reason });
    throw failure.reason;
  }
  const responses = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (responses.pop()?.command !== 'COMMIT') throw new RolledBackError('COMMIT was answered by ROLLBACK.');
  return responses.map(({ rows }) => rows);
};

/** Runs queries in a transaction of their own, as `commitTransaction` does. */
export const runTransaction = async (
  client: PostgresClient,
  queries: readonly PostgresQuery[],
  settings: TransactionSettings = {},
): Promise<readonly (readonly unknown[])[]> =>
  (await commitTransaction(client, [beginTransaction(settings), ...queries])).slice(1);
