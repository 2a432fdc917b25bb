import { AsyncLocalStorage } from 'node:async_hooks';
import { misuseError, type StoreError } from '@clinical-records/core/store';
import type { PostgresClient } from '../postgres-pool.ts';

/** The work of a transaction on a client, and whether it still runs. */
type RunningWork = { readonly client: PostgresClient; isRunning: boolean };

/** The work of `inTransaction` by which something is called, directly or after it has awaited something. */
const callingWork = new AsyncLocalStorage<RunningWork>();

/** Runs the work of a transaction, so that calls by it are known. */
export const runAsWork = async <A>(client: PostgresClient, work: () => PromiseLike<A>): Promise<A> => {
  const running: RunningWork = { client, isRunning: true };
  try {
    return await callingWork.run(running, work);
  } finally {
    running.isRunning = false;
  }
};

/** The database of a client of pg. Null for a client that the host has wrapped. */
const databaseOf = (client: PostgresClient): string | null => {
  const { host, port, database } = client as { host?: unknown; port?: unknown; database?: unknown };
  return database === undefined ? null : `${host} ${port} ${database}`;
};

const forgottenError = misuseError(
  'This was called inside the work of a transaction, and would not be a part of it. Call it on records.in(tx), with the tx of inTransaction, or after the end of the transaction.',
);

/** Finds calls of a store that forgot `records.in(tx)`. */
export const createForgottenCalls = () => {
  let database: string | null = null;
  return {
    /** Must be called with the clients of the store, whose database it remembers. */
    noteClient: (client: PostgresClient): void => {
      database = databaseOf(client);
    },
    /** The error of a call by the work of a transaction on the database of the store; null for any other call. */
    refuse: (): StoreError | null => {
      const work = callingWork.getStore();
      if (work === undefined || !work.isRunning || database === null) return null;
      return databaseOf(work.client) === database ? forgottenError : null;
    },
  };
};
