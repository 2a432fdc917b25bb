import { isNotPrepared } from './postgres-errors.ts';
import type { Statement } from './statement.ts';
import { runStatement } from './statement.ts';
import { runTransaction, type TransactionSettings } from './transaction.ts';
import type { UseClient } from './use-client.ts';

/** Runs statements that only read, each at one moment. */
export type Reader = <Args, Row>(statement: Statement<Args, Row>, args: Args) => Promise<readonly Row[]>;

/** Does work that only reads again if a statement in it was not prepared, because of another one. */
export const retryUnprepared = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (cause) {
    if (isNotPrepared(cause)) return work();
    throw cause;
  }
};

export const createReader =
  (use: UseClient): Reader =>
  (statement, args) =>
    retryUnprepared(() => use((client) => runStatement(client, statement, args)));

/** Creates a reader that reads in a transaction with its own settings. */
export const createTransactionReader =
  (use: UseClient, settings: TransactionSettings): Reader =>
  async <Args, Row>(statement: Statement<Args, Row>, args: Args) => {
    const [rows = []] = await use((client) => runTransaction(client, [statement.bind(args)], settings));
    return rows as readonly Row[];
  };
