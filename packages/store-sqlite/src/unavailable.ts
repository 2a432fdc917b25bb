import type { StoreError } from '@clinical-records/core';
import { type Either, left, right } from 'fp-ts/lib/Either.js';

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';

/** What SQLite could not do. Its own message stays in the cause, for it may quote what is in a chart. */
export const unavailable = (cause: unknown): StoreError => ({
  _tag: 'Unavailable',
  message: `The SQLite database is unavailable${codeOf(cause)}.`,
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
