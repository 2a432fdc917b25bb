import type { StoreError, StoreOutcome } from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from './database.ts';
import { storeClosedError, unavailableError } from './store-errors.ts';

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

/** Makes everything that waits for the end of a host's transaction check again. */
export const wakeWaiters = (handle: HandleState): void => {
  const waiting = handle.waiters;
  handle.waiters = [];
  for (const look of waiting) look();
};

/**
 * A host also begins and ends transactions by itself, without notice. So every waiter checks again each millisecond.
 */
const waitForChange = (handle: HandleState): Promise<void> =>
  new Promise((resolve) => {
    if (handle.waiters.length === 0) setTimeout(() => wakeWaiters(handle), 1);
    handle.waiters.push(resolve);
  });

/**
 * Waits while a condition holds, and resolves with whether it has ended. It gives up once the same transaction has been
 * open for this many milliseconds.
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

/** Keeps a store's work outside of the host's transactions, which may be rolled back. */
export type HostTransactionGate = {
  /** Does work once no transaction of the host is open. */
  readonly runOutside: <A>(work: () => Promise<Either<StoreError, A>>) => Promise<Either<StoreError, A>>;
  /** Fails inside a synchronous transaction, which would be over before anything else runs. Null outside of any. */
  readonly refuseSynchronous: () => StoreOutcome<void> | null;
  /** Makes everything that waits check again. */
  readonly wake: () => void;
};

const openTooLongError = unavailableError(
  'A transaction of the host stays open on this handle. Use records.in(tx) for work that belongs to it, with the tx of inTransaction; all other work waits for its end.',
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
    refuseSynchronous: () => (!database.inTransaction || handle.isOpen ? null : refuseIfOver()),
    wake: () => wakeWaiters(handle),
  };
};
