import type { ClinicalStore } from './port.ts';

/**
 * The connection of a transaction of the host: one shape for each driver, tool and database. `transaction` is what the host has
 * passed to `inTransaction`, `fromKysely` and the like.
 */
export type TransactionConnection<HostTransaction = unknown> = {
  /**
   * Runs a query in the transaction, with its values: texts or null. Its placeholders are those of the database: `$1`, `$2` and so on,
   * once each and in this order, on PostgreSQL, and `?` on SQLite. The rows are as the driver or the tool returns them. Rejects
   * with its error, or if the transaction is known to be over.
   */
  query(
    text: string,
    values?: readonly (string | null)[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
  readonly transaction: HostTransaction;
};

/**
 * A transaction of the host on the database of a store, such as `inTransaction` of `@clinical-records/store-sqlite`
 * begins.
 */
export type Transaction = {
  /**
   * The store as a part of the transaction: its writes are rolled back with the transaction. Its feed may lack them until
   * the transaction is over. Then every function is a `Misuse`. Throws for a store that is not on the same database.
   */
  readonly join: (store: ClinicalStore) => ClinicalStore;
  /** `resolve` gets it as its last argument. */
  readonly connection: TransactionConnection;
  /**
   * Is called with each call of the records in the transaction when it begins, and its name, such as `goals.read`. A call that
   * still runs when the host ends the transaction rolls it back, and one that rejects is not unhandled.
   */
  readonly watch: (call: Promise<unknown>, name: string) => void;
};

/** The calls of a transaction that have begun. */
export type CallWatch = Pick<Transaction, 'watch'> & {
  /** Throws an Error that names the calls that still run. */
  readonly requireEnded: () => void;
};

/** Keeps the calls in a transaction, for the end of its callback. */
export const createCallWatch = (): CallWatch => {
  const running = new Map<Promise<unknown>, string>();
  return {
    watch: (call, name) => {
      running.set(call, name);
      const end = () => running.delete(call);
      call.then(end, end);
    },
    requireEnded: () => {
      if (running.size === 0) return;
      const names = [...new Set(running.values())].join(', ');
      throw new Error(`A call was not awaited: ${names}. Await each call before the transaction ends.`);
    },
  };
};
