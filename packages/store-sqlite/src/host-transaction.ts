import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { ClinicalRecordsError } from '@clinical-records/core';
import {
  type ClinicalStore,
  createCallWatch,
  misuseError,
  requireFunction,
  requireNumbers,
  type StoreError,
  type StoreOutcome,
  storeClosedError,
  type Transaction,
  transactionOverError,
} from '@clinical-records/core/store';
import { type Either, isLeft, isRight, left, right } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase, SqliteHandle } from './database.ts';
import { toSqliteDatabase } from './driver.ts';
import {
  attempt,
  committedToGoneFileError,
  lockedError,
  sqliteError,
  transactionInDoubtError,
  waitForLock,
} from './store-errors.ts';
import { queriesOn } from './transaction-connection.ts';
import { createBegin, createWriteTransaction, overwriteLogTail } from './write/group-commit.ts';

/** The state of a handle and of the host's transactions on it, shared by everything that uses the handle. */
type HandleState = {
  /** The work of `inTransaction` whose turn it is. */
  currentWork: object | null;
  /** Whether that work has its transaction open. */
  isOpen: boolean;
  /** Functions that check again after a change, or a moment later. */
  waiters: (() => void)[];
  /** How often unused terms were deleted. */
  termDeletions: number;
};

const handleStates = new WeakMap<SqliteDatabase, HandleState>();

export const handleStateOf = (database: SqliteDatabase): HandleState => {
  const handle = handleStates.get(database) ?? {
    currentWork: null,
    isOpen: false,
    waiters: [],
    termDeletions: 0,
  };
  handleStates.set(database, handle);
  return handle;
};

/** The work of a transaction on a handle, and whether it still runs. */
type RunningWork = { readonly database: SqliteDatabase; isRunning: boolean };

/** The work of `inTransaction` by which something is called, directly or after it has awaited something. */
const callingWork = new AsyncLocalStorage<RunningWork>();

const isCalledByWork = (database: SqliteDatabase): boolean => {
  const work = callingWork.getStore();
  return work?.database === database && work.isRunning;
};

/** Makes everything that waits for the end of a host's transaction check again. */
const wakeWaiters = (handle: HandleState): void => {
  const waiting = handle.waiters;
  handle.waiters = [];
  for (const look of waiting) look();
};

/** A host also begins and ends transactions by itself, without notice. So every waiter checks again each millisecond. */
const waitForChange = (handle: HandleState): Promise<void> =>
  new Promise((resolve) => {
    if (handle.waiters.length === 0) setTimeout(() => wakeWaiters(handle), 1);
    handle.waiters.push(resolve);
  });

/**
 * Waits while a condition holds, and resolves with whether it has ended. It gives up once the same transaction has been
 * open for this many milliseconds.
 */
const waitWhile = async (
  handle: HandleState,
  timeout: number,
  condition: () => boolean,
): Promise<boolean> => {
  let { currentWork } = handle;
  let giveUpAt = performance.now() + timeout;
  while (condition()) {
    if (handle.currentWork !== currentWork) {
      currentWork = handle.currentWork;
      giveUpAt = performance.now() + timeout;
    }
    if (performance.now() > giveUpAt) return false;
    await waitForChange(handle);
  }
  return true;
};

/** Keeps a store's work outside of the host's transactions, which may be rolled back. */
export type HostTransactionGate = {
  /** Does work once no transaction of the host is open. */
  readonly runOutside: <A>(work: () => Promise<Either<StoreError, A>>) => Promise<Either<StoreError, A>>;
  /** Does work that may wait for the end of a transaction. If the host had one open at the call, the error names `records.in`. */
  readonly explainWait: <A>(work: () => StoreOutcome<A>) => StoreOutcome<A>;
  /** The error of a call within the work of a transaction that is not a part of it, and would wait for its end; or null. */
  readonly refuseForgotten: () => StoreError | null;
  /** Fails inside a synchronous transaction, which would be over before anything else runs. Null outside of any. */
  readonly refuseSynchronous: () => StoreOutcome<void> | null;
  /** Makes everything that waits check again. */
  readonly wake: () => void;
};

const openTooLongError = lockedError(
  'A transaction of the host stays open on this handle, and all work that does not belong to it waits for its end.',
);

/** The host has begun the transaction with its own tool, so whether the call belongs to it is not known. */
const insideToolError = misuseError(
  'This was called while a transaction that the host has begun itself was open on the handle, and has waited for its end in vain. If it belongs to the transaction, call it on records.in(…), such as records.in(fromKysely(trx)). If not, end the transaction sooner.',
);

const forgottenError = misuseError(
  'This was called inside the work of inTransaction, for whose end it would wait. Call it on records.in(tx), with the tx of the work.',
);

const insideSynchronousError = misuseError(
  'This was called inside a synchronous transaction of better-sqlite3 and cannot be a part of it. Use records.transaction, and tx.write for your own statements.',
);

export const createHostTransactionGate = (
  database: SqliteDatabase,
  {
    transactionTimeout,
    isStoreOpen,
  }: { readonly transactionTimeout: number; readonly isStoreOpen: () => boolean },
): HostTransactionGate => {
  const handle = handleStateOf(database);
  const isAwaited = () => isStoreOpen() && database.inTransaction;
  /** A synchronous transaction is over before the next microtask. */
  const refuseIfOver = async (): StoreOutcome<void> => {
    await null;
    return database.inTransaction ? right(undefined) : left(insideSynchronousError);
  };
  return {
    runOutside: async (work) => {
      if (!(await waitWhile(handle, transactionTimeout, isAwaited))) return left(openTooLongError);
      return isStoreOpen() ? work() : left(storeClosedError);
    },
    explainWait: async (work) => {
      if (!database.inTransaction || handle.isOpen) return work();
      const result = await work();
      return isLeft(result) && result.left === openTooLongError ? left(insideToolError) : result;
    },
    refuseForgotten: () => (isCalledByWork(database) ? forgottenError : null),
    refuseSynchronous: () => (!database.inTransaction || handle.isOpen ? null : refuseIfOver()),
    wake: () => wakeWaiters(handle),
  };
};

/** The error of a transaction in which nothing can be done; null while it is open. */
export type AvailabilityCheck = () => StoreError | null | Promise<StoreError | null>;

type TransactionJoiner = {
  readonly database: SqliteDatabase;
  /** Whether the files of the handle are still the same. */
  readonly isInPlace: () => boolean;
  readonly join: (check: AvailabilityCheck) => ClinicalStore;
};

const otherHandleError = misuseError(
  'Only a store that openSqliteStore opened on the same handle can join the transaction.',
);

/** How each open store joins a transaction of its host. */
const joiners = new WeakMap<ClinicalStore, TransactionJoiner>();

export const makeJoinable = <Store extends ClinicalStore>(store: Store, joiner: TransactionJoiner): Store => {
  joiners.set(store, joiner);
  return store;
};

/** The handle of an open store. Throws for a store that `openSqliteStore` has not opened. */
export const databaseOf = (store: ClinicalStore): SqliteDatabase => {
  const joiner = joiners.get(store);
  if (joiner === undefined) throw new TypeError('store must be a store that openSqliteStore opened.');
  return joiner.database;
};

const isStoreInPlace = (store: ClinicalStore): boolean => joiners.get(store)?.isInPlace() ?? true;

/** Throws a `Misuse` for anything but a handle. */
export const requireHandle = (caller: string, connection: unknown): void =>
  requireFunction(
    connection,
    'prepare',
    `${caller} needs the handle of the store: a Database of better-sqlite3, or a DatabaseSync of node:sqlite.`,
  );

/** A store whose reads and commits are part of an open transaction on its handle, as long as that passes a check. */
export const joinStore = (
  store: ClinicalStore,
  checkOn: (database: SqliteDatabase) => AvailabilityCheck,
): ClinicalStore => {
  const joiner = joiners.get(store);
  if (joiner === undefined) throw new ClinicalRecordsError(otherHandleError);
  return joiner.join(checkOn(joiner.database));
};

const transactionEnded =
  'The transaction is over: its work has ended it, or SQLite has rolled it back. Leave COMMIT and ROLLBACK to inTransaction.';
const staysOpenError = lockedError('Another transaction of the host stays open on this handle.');
const nestedError = misuseError(
  'A transaction cannot begin within the work of another one on the same handle.',
);

/** A savepoint at the beginning of each transaction. A transaction that the work has begun itself does not have it. */
const savepoint = 'clinical_records';

const begin = async (database: SqliteDatabase, handle: HandleState): Promise<void> => {
  const beginImmediate = createBegin(database);
  const begun = await waitForLock(database, () =>
    attempt(() => {
      beginImmediate();
      handle.isOpen = true;
      database.prepare(`SAVEPOINT ${savepoint}`).run();
    }),
  );
  if (isLeft(begun)) throw new ClinicalRecordsError(begun.left);
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
    // So that what is read from now on cannot change through a crash.
    attempt(() => createWriteTransaction(database)(() => overwriteLogTail(database)));
    throw cause;
  }
};

/**
 * Runs work in one transaction on a handle: the host's writes on the handle, and those of `records.in(tx)`. Both are
 * committed when the work resolves, and rolled back when it rejects. They are also rolled back if a call of
 * `records.in(tx)` still runs when the work resolves: it was not awaited. The work may use savepoints.
 *
 * **Danger: while the work awaits something, other requests run, and each of their own statements on the handle is inside the
 * transaction. If it is rolled back, they are gone.** Of this library, nothing else takes part: a call of `records` without
 * `in(tx)` waits until the transaction is over, and one by the work is refused at once (`Misuse`). If your app has other
 * writes on the handle, use `records.transaction`, which is open for one turn only.
 *
 * One work runs at a time on a handle; others wait for their turn. Rejects with the reason of the work, or with an Error that
 * names the calls that were not awaited. Rejects with a `ClinicalRecordsError`, a `StoreFailure`, if it cannot begin or
 * commit, and if the transaction before it has been open for `transactionTimeout` milliseconds (5000). If the work ends the
 * transaction itself, the rule is `outcome-unknown`. A transaction within the work of another one is a `Misuse`.
 *
 * @example
 * await inTransaction(database, async (tx) => {
 *   insertAppointment.run(patientId, time);
 *   await records.in(tx).chart.record(order, { by });
 * });
 */
export const inTransaction = async <A>(
  connection: SqliteHandle,
  work: (tx: Transaction) => PromiseLike<A>,
  { transactionTimeout = 5000 }: { readonly transactionTimeout?: number } = {},
): Promise<A> => {
  requireNumbers({ transactionTimeout }, 0);
  requireHandle('inTransaction', connection);
  const database = toSqliteDatabase(connection);
  if (database.open === false) throw new ClinicalRecordsError(storeClosedError);
  if (isCalledByWork(database)) throw new ClinicalRecordsError(nestedError);
  const handle = handleStateOf(database);
  const isBusy = () => handle.currentWork !== null || database.inTransaction;
  // If several wait, the first has begun its turn before the next one checks.
  while (isBusy()) {
    if (!(await waitWhile(handle, transactionTimeout, isBusy))) {
      throw new ClinicalRecordsError(staysOpenError);
    }
  }
  const running: RunningWork = { database, isRunning: true };
  const checkOpen = (): StoreError | null => {
    if (!running.isRunning) return transactionOverError;
    return database.inTransaction ? null : misuseError(transactionEnded);
  };
  handle.currentWork = {};
  try {
    // In a turn of its own, so that everything that waited for the transaction before is written first.
    await setImmediate();
    await begin(database, handle);
    const { watch, requireEnded } = createCallWatch();
    const joined: ClinicalStore[] = [];
    const tx: Transaction = {
      join: (store) => {
        joined.push(store);
        return joinStore(store, (handle) => {
          if (handle !== database) throw new ClinicalRecordsError(otherHandleError);
          return checkOpen;
        });
      },
      connection: queriesOn(connection, checkOpen),
      watch,
    };
    const result = await callingWork.run(running, () => work(tx));
    requireEnded();
    commitTransaction(database);
    handle.isOpen = false;
    // A result promises that the next process finds what was written.
    if (!joined.every(isStoreInPlace)) throw new ClinicalRecordsError(committedToGoneFileError);
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
    running.isRunning = false;
    handle.isOpen = false;
    wakeWaiters(handle);
    await setImmediate();
    handle.currentWork = null;
    wakeWaiters(handle);
  }
};
