import { setTimeout } from 'node:timers/promises';
import {
  misuseError,
  type StoreError,
  type StoreOutcome,
  storeClosedError,
  unavailableError,
} from '@clinical-records/core/store';
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js';
import { lockTimeoutOf, type SqliteDatabase } from './database.ts';

/** SQLite's error code, or better-sqlite3's message if the handle refused the call itself. */
const reasonOf = (cause: unknown): string => {
  if (cause instanceof TypeError) return ` (${cause.message})`;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? ` (${cause.code})`
    : '';
};

/** Work of the host keeps the handle for too long. */
export const lockedError = (message: string): StoreError => ({ _tag: 'Locked', message, cause: null });

const isLock = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_BUSY');

/** The file can be read. Other codes that begin so are of reads. */
const isNotWritable = (cause: unknown): boolean =>
  cause instanceof Error &&
  'code' in cause &&
  ['SQLITE_READONLY', 'SQLITE_FULL'].includes(String(cause.code));

/** Whether the handle is closed, in the words of better-sqlite3 or of Node. */
const isOfClosedHandle = (cause: unknown): boolean =>
  cause instanceof Error && /^(The database connection|database) is not open$/.test(cause.message);

/** Whether better-sqlite3 refuses a call because another one has not ended. */
const isOfBusyHandle = (cause: unknown): boolean =>
  cause instanceof TypeError && cause.message.startsWith('This database connection is busy');

const busyHandleError = misuseError(
  'The handle is busy: a loop over `iterate()` of the host, or a function of SQL, has not ended. Do not await in such a loop, and do not call the records in it.',
);

/** Another version of the library has migrated the tables while a store was open. */
export class OtherSchemaError extends Error {
  constructor(version: number | undefined, expected: number) {
    super(
      `The tables have schema ${version ?? 'unknown'}, but this process uses schema ${expected}: another version of ` +
        '@clinical-records/store-sqlite has migrated them. Restart this process with that version.',
    );
  }
}

/** The error of SQLite. Its own message is only in the cause, because it may contain data of a chart. */
export const sqliteError = (cause: unknown): StoreError => {
  if (cause instanceof OtherSchemaError) return unavailableError(cause.message);
  if (isOfClosedHandle(cause)) return storeClosedError;
  if (isOfBusyHandle(cause)) return busyHandleError;
  if (isLock(cause))
    return { _tag: 'Locked', message: `Another process holds the SQLite database${reasonOf(cause)}.`, cause };
  if (isNotWritable(cause))
    return {
      _tag: 'NotWritable',
      message: `The SQLite database cannot be written${reasonOf(cause)}.`,
      cause,
    };
  return unavailableError(`The SQLite database is unavailable${reasonOf(cause)}.`, cause);
};

const createOutcomeUnknownError =
  (message: string) =>
  (cause: unknown): StoreError => ({
    _tag: 'OutcomeUnknown',
    message: `${message}${reasonOf(cause)}, and it is not known whether the commit was written.`,
    cause,
  });

/** The error of a commit that may exist after a crash, or may not. */
export const outcomeUnknownError = createOutcomeUnknownError('SQLite could not commit');

/** The error of a transaction of the host that ended otherwise than by `inTransaction`, or did not end. */
export const transactionInDoubtError = createOutcomeUnknownError(
  'The transaction was neither committed nor rolled back by inTransaction',
);

/** The error of a transaction that statements of the host have ended. */
export const endedByHostError = createOutcomeUnknownError(
  'A write of the host has ended the transaction, which only the store may do',
);

export const fileGoneError = unavailableError(
  'The database file, or its -wal or -shm file, was deleted, moved or replaced while it was open. Stop, restore the files together, and start again.',
);

/** The error of a commit that is in a file which no longer has its name. */
export const committedToGoneFileError: StoreError = {
  _tag: 'OutcomeUnknown',
  message: fileGoneError.message,
  cause: null,
};

/** The result of some work, or the error of SQLite. */
export const attempt = <A>(work: () => A): Either<StoreError, A> => {
  try {
    return right(work());
  } catch (cause) {
    return left(sqliteError(cause));
  }
};

/** How many milliseconds lie between two attempts to get a lock that another process holds. */
export const lockInterval = 5;

export const isLocked = (result: Either<StoreError, unknown>): boolean =>
  isLeft(result) && result.left._tag === 'Locked';

/** Whether work that began to wait for a lock at a time of `performance.now()` waits no longer. */
export const hasWaited = (database: SqliteDatabase, since: number): boolean =>
  performance.now() - since >= lockTimeoutOf(database);

/**
 * Tries work until no other process holds the lock that it needs, or the result is the error of the last attempt. SQLite
 * itself would wait within the call, and nothing else in this process would run meanwhile.
 */
export const waitForLock = async <A>(
  database: SqliteDatabase,
  work: () => Either<StoreError, A> | StoreOutcome<A>,
): StoreOutcome<A> => {
  const since = performance.now();
  for (;;) {
    const result = await work();
    if (!isLocked(result) || hasWaited(database, since)) return result;
    await setTimeout(lockInterval);
  }
};
