import { ClinicalRecordsError } from '@clinical-records/core';
import { createCallWatch, type StoreError, type Transaction } from '@clinical-records/core/store';
import { left } from 'fp-ts/lib/Either.js';
import {
  outcomeUnknownError,
  postgresError,
  statementFailedError,
  unavailableError,
} from '../postgres-errors.ts';
import type { HostClient, PostgresQuery } from '../postgres-pool.ts';
import { createSlots } from '../slots.ts';
import {
  beginTransaction,
  commitTransaction,
  InDoubtError,
  RolledBackError,
  runTransaction,
} from '../transaction.ts';
import { joinStore } from './join-store.ts';
import type { OpenTransaction } from './open-transaction.ts';

const transactionOverError = unavailableError(
  'The transaction is over. Await everything that belongs to it before its work ends.',
);
const endedByHostError = unavailableError(
  'The work has ended the transaction itself. Leave COMMIT and ROLLBACK to inTransaction.',
);
const clientBusyError = unavailableError(
  'A transaction is open on this client already. Use a client of its own for each transaction.',
);

/** The clients on which work runs. */
const busyClients = new WeakSet<HostClient>();

/** Deferred constraints of the host are checked before anything is locked that others need. */
const checkConstraints = { text: 'set constraints all immediate' };

const ignoreError = (): void => {};

/** The error of a transaction in which nothing can be done any more; null while it is open. */
const checkTransaction = (client: HostClient): StoreError | null => {
  const status = client.getTransactionStatus();
  if (status === 'E') return statementFailedError;
  return status === 'T' ? null : endedByHostError;
};

const begin = async (client: HostClient, lockTimeout: number): Promise<void> => {
  try {
    await client.query(beginTransaction({ lock_timeout: Math.max(1, lockTimeout) }));
  } catch (cause) {
    throw new ClinicalRecordsError(postgresError(cause));
  }
};

const commitErrorOf = (cause: unknown): StoreError => {
  if (cause instanceof InDoubtError) return outcomeUnknownError(cause);
  return cause instanceof RolledBackError ? statementFailedError : postgresError(cause);
};

const commit = async (client: HostClient, atEnd: readonly PostgresQuery[]): Promise<void> => {
  try {
    await commitTransaction(client, atEnd);
  } catch (cause) {
    throw new ClinicalRecordsError(commitErrorOf(cause));
  }
};

const undo = async (
  client: HostClient,
  atEnd: readonly PostgresQuery[],
  lockTimeout: number,
): Promise<void> => {
  // If it fails, the connection is lost, or the transaction stays open: no store uses such a client.
  if (client.getTransactionStatus() !== 'I') await client.query({ text: 'rollback' }).catch(ignoreError);
  // Work that has ended the transaction itself may have committed versions, which still need their places in the feed.
  else if (atEnd.length > 0)
    await runTransaction(client, atEnd, { lock_timeout: Math.max(1, lockTimeout) }).catch(ignoreError);
};

/**
 * Runs work in one transaction on a client: the host's statements on the client, and what `records.in(tx)` does. All of
 * it is committed when the work resolves, and rolled back when it rejects. It is also rolled back if a call of `records.in(tx)`
 * still runs when the work resolves: it was not awaited. Nothing else takes part, and nothing else waits, but writes of the same
 * records.
 *
 * The client is one of a pool of pg on the store's database, and only the work uses it. Rejects with the reason of the
 * work, or with an Error that names the calls that were not awaited. Rejects with a `ClinicalRecordsError`, a `StoreFailure`, if it cannot begin or commit. No statement of the
 * transaction waits longer than `transactionTimeout` milliseconds (5000) for a lock.
 *
 * @example
 * const client = await pool.connect();
 * try {
 *   await inTransaction(client, async (tx) => {
 *     await client.query('insert into appointments values ($1, $2)', [patientId, time]);
 *     await records.in(tx).chart.record(order, { by });
 *   });
 * } finally {
 *   client.release();
 * }
 */
export const inTransaction = async <A>(
  client: HostClient,
  work: (tx: Transaction) => PromiseLike<A>,
  { transactionTimeout = 5000 }: { readonly transactionTimeout?: number } = {},
): Promise<A> => {
  if (busyClients.has(client) || client.getTransactionStatus() !== 'I') {
    throw new ClinicalRecordsError(clientBusyError);
  }
  const inTurn = createSlots(1);
  const atEnd = new Map<string, readonly PostgresQuery[]>();
  const endListeners = new Set<() => void>();
  let isRunning = true;
  let isSent = false;
  const transaction: OpenTransaction = {
    client,
    transactionTimeout,
    inTurn: (run) =>
      inTurn(async () => {
        const error = isRunning ? checkTransaction(client) : transactionOverError;
        return error === null ? run() : left(error);
      }),
    atEnd: (key, queries) => {
      atEnd.set(key, queries);
    },
    onEnd: (listener) => {
      endListeners.add(listener);
    },
  };
  /** Calls that were not awaited end, and nothing else begins. */
  const end = async (): Promise<void> => {
    isRunning = false;
    await inTurn(async () => {});
  };

  const endQueries = (): readonly PostgresQuery[] => {
    const queries = [...atEnd.keys()].toSorted().flatMap((key) => atEnd.get(key) ?? []);
    return queries.length === 0 ? [] : [checkConstraints, ...queries];
  };

  busyClients.add(client);
  client.on('error', ignoreError);
  try {
    await begin(client, transactionTimeout);
    const { watch, requireEnded } = createCallWatch();
    const result = await work({ join: (store) => joinStore(store, transaction), watch });
    requireEnded();
    await end();
    const error = checkTransaction(client);
    if (error !== null) throw new ClinicalRecordsError(error);
    isSent = true;
    await commit(client, endQueries());
    return result;
  } catch (cause) {
    await end();
    await undo(client, isSent ? [] : endQueries(), transactionTimeout);
    throw cause;
  } finally {
    client.removeListener('error', ignoreError);
    busyClients.delete(client);
    for (const listener of endListeners) listener();
  }
};
