import type { StoreError } from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';

/** The code of an error: the SQLSTATE of PostgreSQL, or that of Node for a connection. */
export const errorCode = (cause: unknown): string | null =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;

/** SQLSTATE has five characters; the codes of Node are longer. */
const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code);

/**
 * Whether the connection can have been lost, so that nothing is known of what was sent. Class 57P has the errors with
 * which a server ends a connection, and 08 those of connections.
 */
export const isConnectionLost = (cause: unknown): boolean => {
  const code = errorCode(cause);
  return code === null || !isSqlState(code) || code.startsWith('57P') || code.startsWith('08');
};

/** Another transaction was in the way, so that the same may succeed the next time. */
export const isTransient = (cause: unknown): boolean =>
  ['40001', '40P01', '55P03'].includes(errorCode(cause) ?? '');

/** An error with the reason for which the store itself refuses something. */
export const unavailableError = (message: string): Extract<StoreError, { readonly _tag: 'Unavailable' }> => ({
  _tag: 'Unavailable',
  message,
  cause: null,
});

const reasonOf = (cause: unknown): string => {
  const code = errorCode(cause);
  return code === null ? '' : ` (${code})`;
};

/** The error of PostgreSQL. Its own message is only in the cause, because it may contain data of a chart. */
export const postgresError = (cause: unknown): StoreError => ({
  _tag: 'Unavailable',
  message: `The PostgreSQL database is unavailable${reasonOf(cause)}.`,
  cause,
});

/** The error of a commit whose response was lost. */
export const outcomeUnknownError = (cause: unknown): StoreError => ({
  _tag: 'OutcomeUnknown',
  message: `The connection to PostgreSQL was lost${reasonOf(cause)}, and it is not known whether the commit was written.`,
  cause,
});

export const storeClosedError = unavailableError('The store is closed.');

/** The error of a feed or a scan that is to begin at a position without an entry. */
export const unknownPosition = left<StoreError>({ _tag: 'UnknownPosition' });

/** The result of some work, or the error of PostgreSQL. */
export const attempt = async <A>(work: () => Promise<A>): Promise<Either<StoreError, A>> => {
  try {
    return right(await work());
  } catch (cause) {
    return left(postgresError(cause));
  }
};
