import type { StoreError } from '@clinical-records/core';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { SqliteDatabase } from './database.ts';
import { closed, refusal } from './unavailable.ts';

/** What all who use one handle know of the transactions of its host. */
type Handle = {
  /** The work of `inTransaction` whose turn it is. */
  turn: object | null;
  /** Whether that work has its transaction open. */
  isOpen: boolean;
  /** Who looks again when something has changed, or a moment later. */
  waiting: (() => void)[];
};

const handles = new WeakMap<SqliteDatabase, Handle>();

export const handleOf = (database: SqliteDatabase): Handle => {
  const handle = handles.get(database) ?? { turn: null, isOpen: false, waiting: [] };
  handles.set(database, handle);
  return handle;
};

/** Has all look again who wait for a transaction of the host to end. */
export const wake = (handle: Handle): void => {
  const waiting = handle.waiting;
  handle.waiting = [];
  for (const look of waiting) look();
};

/** A host also begins and ends transactions by itself, of which nobody is informed: so all look again every millisecond. */
const pause = (handle: Handle): Promise<void> =>
  new Promise((resolve) => {
    if (handle.waiting.length === 0) setTimeout(() => wake(handle), 1);
    handle.waiting.push(resolve);
  });

/**
 * Waits while something is so, and resolves with whether it has ended. Who waits gives up once the same transaction has been
 * open for so many milliseconds.
 */
export const waitWhile = async (handle: Handle, patience: number, isSo: () => boolean): Promise<boolean> => {
  let { turn } = handle;
  let giveUpAt = performance.now() + patience;
  while (isSo()) {
    if (handle.turn !== turn) {
      turn = handle.turn;
      giveUpAt = performance.now() + patience;
    }
    if (performance.now() > giveUpAt) return false;
    await pause(handle);
  }
  return true;
};

/** How a store works outside of the host's transactions, which may be undone. */
export type Outside = {
  /** Does work once no transaction of the host is open. */
  readonly later: <A>(work: () => Promise<Either<StoreError, A>>) => Promise<Either<StoreError, A>>;
  /** Refuses what is called inside a synchronous transaction: that is over before anything else runs. */
  readonly begin: TaskEither<StoreError, void>;
  /** Has those who wait look whether they still should. */
  readonly wake: () => void;
};

const openTooLong = refusal(
  'A transaction of the host stays open on this handle. What belongs to it uses records.in(tx), with the tx of inTransaction; all else waits for its end.',
);

const insideSynchronous = refusal(
  'This was called inside a synchronous transaction of better-sqlite3 and cannot be a part of it. Use inTransaction, and records.in(tx) within it.',
);

export const outsideHostTransactions = (
  database: SqliteDatabase,
  { patience, isWanted }: { readonly patience: number; readonly isWanted: () => boolean },
): Outside => {
  const handle = handleOf(database);
  const isAwaited = () => isWanted() && database.inTransaction;
  return {
    later: async (work) => {
      if (!(await waitWhile(handle, patience, isAwaited))) return left(openTooLong);
      return isWanted() ? work() : left(closed);
    },
    begin: async () => {
      if (!database.inTransaction || handle.isOpen) return right(undefined);
      await null;
      return database.inTransaction ? right(undefined) : left(insideSynchronous);
    },
    wake: () => wake(handle),
  };
};
