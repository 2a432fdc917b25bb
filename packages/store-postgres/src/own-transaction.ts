import type { PostgresClient } from './postgres-pool.ts';
import { beginTransaction, type TransactionSettings } from './transaction.ts';

/** Does work, statement by statement, in a transaction on a client. */
export const inOwnTransaction = async <A>(
  client: PostgresClient,
  work: () => Promise<A>,
  settings: TransactionSettings = {},
): Promise<A> => {
  await client.query(beginTransaction(settings));
  try {
    const result = await work();
    await client.query({ text: 'commit' });
    return result;
  } catch (cause) {
    await client.query({ text: 'rollback' });
    throw cause;
  }
};
