import type { StoreError } from '@clinical-records/core';
import { type Either, left, right } from 'fp-ts/lib/Either.js';

/** SQLite's code, or what better-sqlite3 says of a handle that it did not even ask. */
const reasonOf = (cause: unknown): string => {
  if (cause instanceof TypeError) return ` (${cause.message})`;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? ` (${cause.code})`
    : '';
};

/** What SQLite could not do. Its own message stays in the cause, for it may quote what is in a chart. */
export const unavailable = (cause: unknown): StoreError => ({
  _tag: 'Unavailable',
  message: `The SQLite database is unavailable${reasonOf(cause)}.`,
  cause,
});

export const closed: StoreError = { _tag: 'Unavailable', message: 'The store is closed.', cause: null };

/** What some work answers, or that SQLite could not do it. */
export const attempt = <A>(work: () => A): Either<StoreError, A> => {
  try {
    return right(work());
  } catch (cause) {
    return left(unavailable(cause));
  }
};
