import type { StoreError } from '@clinical-records/core';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { SqliteDatabase } from './database.ts';
import { storeClosedError, unavailableError } from './store-errors.ts';

/** What all who use one handle know of the transactions of its host. */
type HandleState = {
  /** The work of `inTransaction` whose turn it is. */
  currentWork: object | null;
  /** Whether that work has its transaction open. */
  isOpen: boolean;
  /** Who looks again when something has changed, or a moment later. */
  waiters: (() => void)[];
};

const handleStates = new WeakMap<SqliteDatabase, HandleState>();

export const handleStateOf = (database: SqliteDatabase): HandleState => {
  const handle = handleStates.get(database) ?? { currentWork: null, isOpen: false, waiters: [] };
  handleStates.set(database, handle);
  return handle;
};

/** Has all look again who wait for a transaction of the host to end. */
export const wakeWaiters = (handle: HandleState): void => {
  const waiting = handle.waiters;
  handle.waiters = [];
  for (const look of waiting) look();
};

/** A host also begins and ends transactions by itself, of which nobody is informed: so all look again every millisecond. */
const waitForChange = (handle: HandleState): Promise<void> =>
  new Promise((resolve) => {
    if (handle.waiters.length === 0) setTimeout(() => wakeWaiters(handle), 1);
    handle.waiters.push(resolve);
  });

/**
 * Waits while something is so, and resolves with whether it has ended. Who waits gives up once the same transaction has been
 * open for so many milliseconds.
 */
export const waitWhile = async (
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

/** How a store works outside of the host's transactions, which may be undone. */
export type HostTransactionGate = {
  /** Does work once no transaction of the host is open. */
  readonly runOutside: <A>(work: () => Promise<Either<StoreError, A>>) => Promise<Either<StoreError, A>>;
  /** Refuses what is called inside a synchronous transaction: that is over before anything else runs. */
  readonly refuseSynchronous: TaskEither<StoreError, void>;
  /** Has those who wait look whether they still should. */
  readonly wake: () => void;
};

const openTooLongError = unavailableError(
  'A transaction of the host stays open on this handle. What belongs to it uses records.in(tx), with the tx of inTransaction; all else waits for its end.',
);

const insideSynchronousError = unavailableError(
  'This was called inside a synchronous transaction of better-sqlite3 and cannot be a part of it. Use inTransaction, and records.in(tx) within it.',
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
  return {
    runOutside: async (work) => {
      if (!(await waitWhile(handle, transactionTimeout, isAwaited))) return left(openTooLongError);
      return isStoreOpen() ? work() : left(storeClosedError);
    },
    refuseSynchronous: async () => {
      if (!database.inTransaction || handle.isOpen) return right(undefined);
      await null;
      return database.inTransaction ? right(undefined) : left(insideSynchronousError);
    },
    wake: () => wakeWaiters(handle),
  };
};
