import { setImmediate } from 'node:timers/promises';
import { ClinicalRecordsError } from '@clinical-records/core';
import { createCallWatch, type StoreError, type Transaction } from '@clinical-records/core/store';
import { isRight } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from './database.ts';
import { handleStateOf, waitWhile, wakeWaiters } from './host-transaction.ts';
import { joinStore } from './join-store.ts';
import { attempt, sqliteError, transactionInDoubtError, unavailableError } from './store-errors.ts';
import { createWriteTransaction, overwriteLogTail } from './write/write-transaction.ts';

const transactionOverError = unavailableError(
  'The transaction is over. Await everything that belongs to it before its work ends.',
);
const transactionEnded =
  'The transaction is over: its work has ended it, or SQLite has rolled it back. Leave COMMIT and ROLLBACK to inTransaction.';
const staysOpen = unavailableError(
  'Another transaction stays open on this handle. One cannot begin within another.',
);

/** A savepoint at the beginning of each transaction. A transaction that the work has begun itself does not have it. */
const savepoint = 'clinical_records';

const begin = (database: SqliteDatabase): void => {
  try {
    database.prepare('BEGIN IMMEDIATE').run();
    database.prepare(`SAVEPOINT ${savepoint}`).run();
  } catch (cause) {
    throw new ClinicalRecordsError(sqliteError(cause));
  }
};

/** Whether the transaction that `begin` began is still open. Ends the savepoints of the work. */
const isStillOpen = (database: SqliteDatabase): boolean => {
  if (!database.inTransaction) return false;
  try {
    database.prepare(`RELEASE ${savepoint}`).run();
    database.prepare(`SAVEPOINT ${savepoint}`).run();
    return true;
  } catch (cause) {
    // better-sqlite3 also refuses it while a statement is half read.
    return !(cause instanceof Error && cause.message.startsWith('no such savepoint'));
  }
};

/** Throws a `ClinicalRecordsError` if the transaction is still open, and any other error if it is not. */
const commitTransaction = (database: SqliteDatabase): void => {
  if (!isStillOpen(database)) throw new Error(transactionEnded);
  try {
    database.prepare('COMMIT').run();
  } catch (cause) {
    if (database.inTransaction) throw new ClinicalRecordsError(sqliteError(cause));
    // So that what is read from now on cannot change by a crash.
    attempt(() => createWriteTransaction(database)(() => overwriteLogTail(database)));
    throw cause;
  }
};

/**
 * Runs work in one transaction on a handle: the host's writes on the handle, and those of `records.in(tx)`. Both are
 * committed when the work resolves, and rolled back when it rejects. They are also rolled back if a call of
 * `records.in(tx)` still runs when the work resolves: it was not awaited. Nothing else takes part. A use of `records`
 * without `in(tx)`, for example over HTTP, waits until the transaction is over.
 *
 * One work runs at a time on a handle; others wait for their turn. Rejects with the reason of the work, or with an Error that
 * names the calls that were not awaited. Rejects with a
 * `ClinicalRecordsError`, a `StoreFailure`, if it cannot begin or commit. It also does if the transaction before it has
 * been open for `transactionTimeout` milliseconds (5000). That happens if the work of one transaction awaits another
 * one on the same handle. The work may use savepoints. If it ends the transaction itself, the rule of the
 * `StoreFailure` is `outcome-unknown`.
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
    return database.inTransaction ? null : unavailableError(transactionEnded);
  };
  handle.currentWork = {};
  try {
    // In a turn of its own, so that everything that waited for the transaction before is written first.
    await setImmediate();
    begin(database);
    handle.isOpen = true;
    const { watch, requireEnded } = createCallWatch();
    const result = await work({ join: (store) => joinStore(store, database, checkOpen), watch });
    requireEnded();
    commitTransaction(database);
    return result;
  } catch (cause) {
    if (!handle.isOpen) throw cause;
    let isUndone = false;
    /** Returns whether nothing is open any more. better-sqlite3 refuses to roll back while a statement is half read. */
    const rollBack = (): boolean => {
      const isOurs = isStillOpen(database);
      const isOver = !database.inTransaction || isRight(attempt(() => database.prepare('ROLLBACK').run()));
      isUndone = isOurs && isOver;
      return isOver;
    };
    await waitWhile(handle, transactionTimeout, () => !rollBack());
    throw isUndone ? cause : new ClinicalRecordsError(transactionInDoubtError(cause));
  } finally {
    isRunning = false;
    handle.isOpen = false;
    wakeWaiters(handle);
    await setImmediate();
    handle.currentWork = null;
    wakeWaiters(handle);
  }
};
