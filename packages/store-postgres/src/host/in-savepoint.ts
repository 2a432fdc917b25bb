import { EndedByWorkError, isConnectionLost, isTransient } from '../postgres-errors.ts';
import type { PostgresQuery } from '../postgres-pool.ts';
import type { OpenTransaction } from './open-transaction.ts';
import { isTransaction, selectTransaction } from './transaction-id.ts';

type Place = Pick<OpenTransaction, 'client' | 'id'>;

type Rows = readonly (readonly unknown[])[];

const savepoint = { text: 'savepoint clinical_records' };
const release = { text: 'release savepoint clinical_records' };
const undo = { text: 'rollback to savepoint clinical_records; release savepoint clinical_records' };

/**
 * They are sent together. So no statement of the host comes between them, and is undone with them unnoticed. If the work has
 * ended the transaction, they run in another one, or each by itself: those that are first must be harmless there.
 */
const tryInSavepoint = async ({ client, id }: Place, queries: readonly PostgresQuery[]): Promise<Rows> => {
  const [begun, current, ...results] = await Promise.allSettled(
    [savepoint, selectTransaction, ...queries, release].map((query) => client.query(query)),
  );
  if (begun?.status === 'rejected') throw begun.reason;
  if (current?.status === 'rejected') throw current.reason;
  if (current !== undefined && !isTransaction(current.value, id)) throw new EndedByWorkError();
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
  transaction: Place,
  queries: readonly PostgresQuery[],
  end: number,
): Promise<Rows> => {
  for (;;) {
    try {
      return await tryInSavepoint(transaction, queries);
    } catch (cause) {
      if (!isTransient(cause) || performance.now() > end) throw cause;
    }
  }
};
