import type { StoreError } from '@clinical-records/core';
import { type Either, left, right } from 'fp-ts/lib/Either.js';

/** SQLite's code, or what better-sqlite3 says of a handle that it did not even ask. */
const reasonOf = (cause: unknown): string => {
  if (cause instanceof TypeError) return ` (${cause.message})`;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? ` (${cause.code})`
    : '';
};

/** What the store itself refuses to do, with the reason. */
export const unavailableError = (message: string): Extract<StoreError, { readonly _tag: 'Unavailable' }> => ({
  _tag: 'Unavailable',
  message,
  cause: null,
});

/** What SQLite could not do. Its own message stays in the cause, for it may quote what is in a chart. */
export const sqliteError = (cause: unknown): StoreError => ({
  _tag: 'Unavailable',
  message: `The SQLite database is unavailable${reasonOf(cause)}.`,
  cause,
});

/** A commit that may be there after a crash, or may not. */
export const outcomeUnknownError = (cause: unknown): StoreError => ({
  _tag: 'OutcomeUnknown',
  message: `SQLite could not commit${reasonOf(cause)}, nor find out what became of it.`,
  cause,
});

export const storeClosedError = unavailableError('The store is closed.');

export const fileGoneError = unavailableError(
  'The database file, or the -wal beside it, was deleted, moved or replaced while it was open. Stop, put back what belongs together, and start again.',
);

/** A commit of which nobody will find anything, or perhaps where the file has gone. */
export const committedToGoneFileError: StoreError = {
  _tag: 'OutcomeUnknown',
  message: fileGoneError.message,
  cause: null,
};

/** Of a feed or a scan that is to begin where it has no entry. */
export const unknownPosition = left<StoreError>({ _tag: 'UnknownPosition' });

/** What some work answers, or that SQLite could not do it. */
export const attempt = <A>(work: () => A): Either<StoreError, A> => {
  try {
    return right(work());
  } catch (cause) {
    return left(sqliteError(cause));
  }
};
