import { setImmediate } from 'node:timers/promises';
import { ClinicalRecordsError } from '@clinical-records/core';
import type { StoreError, Transaction } from '@clinical-records/core/store';
import type { SqliteDatabase } from './database.ts';
import { handleStateOf, waitWhile, wakeWaiters } from './host-transaction.ts';
import { joinStore } from './join-store.ts';
import { outcomeUnknownError, sqliteError, unavailableError } from './store-errors.ts';
import { createWriteTransaction, overwriteLogTail } from './write/write-transaction.ts';

const transactionOverError = unavailableError(
  'The transaction is over. Await everything that belongs to it before its work ends.',
);
const transactionUndoneError = unavailableError(
  'SQLite has rolled back the transaction, with everything that was written in it.',
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

/** Commits a transaction that is open. If SQLite cannot say whether it was committed, finds out. */
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

/** Rolls a transaction back, and returns whether it is over. better-sqlite3 refuses that while a statement is half read. */
const rollBack = (database: SqliteDatabase): boolean => {
  try {
    if (database.inTransaction) database.prepare('ROLLBACK').run();
    return true;
  } catch {
    return false;
  }
};

/**
 * Runs work in one transaction on a handle: the host's writes on the handle, and those of `records.in(tx)`. Both are
 * committed when the work resolves, and rolled back when it rejects. Nothing else takes part. A use of `records`
 * without `in(tx)`, for example over HTTP, waits until the transaction is over.
 *
 * One work runs at a time on a handle; others wait for their turn. Rejects with the reason of the work. Rejects with a
 * `ClinicalRecordsError`, a `StoreFailure`, if it cannot begin or commit. It also does if the transaction before it has
 * been open for `transactionTimeout` milliseconds (5000). That happens if the work of one transaction awaits another
 * one on the same handle.
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
  // If several wait, the first has begun its turn before the next one checks.
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
    // In a turn of its own, so that everything that waited for the transaction before is written first.
    await setImmediate();
    begin(database);
    handle.isOpen = true;
    const result = await work({ join: (store) => joinStore(store, database, checkOpen) });
    commitTransaction(database);
    return result;
  } catch (cause) {
    if (handle.isOpen) await waitWhile(handle, transactionTimeout, () => !rollBack(database));
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
