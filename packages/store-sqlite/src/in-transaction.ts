import { setImmediate } from 'node:timers/promises';
import { ClinicalRecordsError, type StoreError, type Transaction } from '@clinical-records/core';
import type { SqliteDatabase } from './database.ts';
import { handleStateOf, waitWhile, wakeWaiters } from './host-transaction.ts';
import { joinStore } from './join-store.ts';
import { outcomeUnknownError, sqliteError, unavailableError } from './store-errors.ts';
import { createWriteTransaction, overwriteLogTail } from './write/write-transaction.ts';

const transactionOverError = unavailableError(
  'The transaction is over. Await what belongs to it before its work ends.',
);
const transactionUndoneError = unavailableError(
  'SQLite has undone the transaction, with all that was written in it.',
);
const staysOpen = unavailableError(
  'Another transaction stays open on this handle. One cannot begin within another.',
);

const begin = (database: SqliteDatabase): void => {
  try {
    database.prepare('BEGIN IMMEDIATE').run();
  } catch (cause) {
    throw new ClinicalRecordsError(sqliteError(cause));
  }
};

/** Ends a transaction that is open. Where SQLite cannot say what became of it, finds out. */
const commitTransaction = (database: SqliteDatabase): void => {
  if (!database.inTransaction) throw new ClinicalRecordsError(transactionUndoneError);
  try {
    database.prepare('COMMIT').run();
  } catch (cause) {
    if (database.inTransaction) throw new ClinicalRecordsError(sqliteError(cause));
    try {
      createWriteTransaction(database)(() => overwriteLogTail(database));
    } catch {
      throw new ClinicalRecordsError(outcomeUnknownError(cause));
    }
    throw new ClinicalRecordsError(sqliteError(cause));
  }
};

/**
 * Runs work in one transaction on a handle: what the host writes on it, and what `records.in(tx)` writes. Both land when the
 * work resolves, and neither when it rejects. Nobody else takes part: who uses `records` without `in(tx)`, over HTTP say,
 * waits until the transaction is over.
 *
 * One work runs at a time on a handle; others wait for their turn. Rejects with what the work rejects with. Rejects with a
 * `ClinicalRecordsError`, a `StoreFailure`, where it cannot begin or commit, or where the transaction ahead has been open for
 * `transactionTimeout` milliseconds (5000), as of a work that awaits another on the same handle.
 *
 * @example
 * await inTransaction(database, async (tx) => {
 *   insertAppointment.run(patientId, time);
 *   await records.in(tx).chart.record(order, { by });
 * });
 */
export const inTransaction = async <A>(
  database: SqliteDatabase,
  work: (tx: Transaction) => PromiseLike<A>,
  { transactionTimeout = 5000 }: { readonly transactionTimeout?: number } = {},
): Promise<A> => {
  const handle = handleStateOf(database);
  const isBusy = () => handle.currentWork !== null || database.inTransaction;
  // Of several that wait, the first has taken the turn by the time that the next one looks.
  while (isBusy()) {
    if (!(await waitWhile(handle, transactionTimeout, isBusy))) {
      throw new ClinicalRecordsError(staysOpen);
    }
  }
  let isRunning = true;
  const checkOpen = (): StoreError | null => {
    if (!isRunning) return transactionOverError;
    return database.inTransaction ? null : transactionUndoneError;
  };
  handle.currentWork = {};
  try {
    // In a turn of its own: what has waited for the transaction before is written first.
    await setImmediate();
    begin(database);
    handle.isOpen = true;
    const result = await work({ join: (store) => joinStore(store, database, checkOpen) });
    commitTransaction(database);
    return result;
  } catch (cause) {
    if (handle.isOpen && database.inTransaction) database.prepare('ROLLBACK').run();
    throw cause;
  } finally {
    isRunning = false;
    handle.isOpen = false;
    wakeWaiters(handle);
    await setImmediate();
    handle.currentWork = null;
    wakeWaiters(handle);
  }
};
