import { ClinicalRecordsError } from '@clinical-records/core';
import {
  misuseError,
  type StoreError,
  storeClosedError,
  unavailableError,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { LateError } from './within.ts';

/** The code of an error: the SQLSTATE of PostgreSQL, or that of Node for a connection. */
export const errorCode = (cause: unknown): string | null =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;

/** The severity that PostgreSQL gives an error, in the language of the server; null for an error of the connection. */
const severityOf = (cause: unknown): string | null =>
  cause instanceof Error && 'severity' in cause && typeof cause.severity === 'string' ? cause.severity : null;

/**
 * The classes and codes of errors after which PostgreSQL may close the connection, and of those of a connection itself. Source:
 * PostgreSQL, "PostgreSQL Error Codes".
 */
const closingCodes = /^(?:08|28|3D|53|57P|58|F0|XX|25P03|25P04)/;

/** Whether PostgreSQL may close the connection after an error with a code. */
export const closesConnection = (code: string): boolean => closingCodes.test(code);

/** Whether PostgreSQL has refused a statement, and goes on with the connection. */
const isRefusal = (cause: unknown): boolean => {
  const severity = severityOf(cause);
  if (severity === null || severity === 'ERROR') return severity === 'ERROR';
  // A server whose messages are in another language names the severity in that language. Then only the code is reliable.
  const code = errorCode(cause);
  return !['FATAL', 'PANIC'].includes(severity) && code !== null && !closesConnection(code);
};

/** The column to which an error belongs, with its table; null if it belongs to none. */
export const errorColumn = (cause: unknown): string | null =>
  cause instanceof Error && 'table' in cause && 'column' in cause && typeof cause.column === 'string'
    ? `${cause.table}.${cause.column}`
    : null;

/** Whether the connection was lost, so that nothing is known of the queries that were sent. */
export const isConnectionLost = (cause: unknown): boolean => !isRefusal(cause);

/** A server that was the primary is a standby now, or is one still. Or its administrator allows no writes. */
export const isReadOnly = (cause: unknown): boolean => errorCode(cause) === '25006';

/** Whether a client must not be used again. */
export const isUnusable = (cause: unknown): boolean => isConnectionLost(cause) || isReadOnly(cause);

/** PostgreSQL has cancelled a statement that took too long. */
export const isCanceled = (cause: unknown): boolean => errorCode(cause) === '57014';

/** The server, or the way to it, is silent. */
export const silence = 'PostgreSQL has not answered in time';

/** Whether a query had no result in time: for the store, or for pg with its `query_timeout`. */
export const isSilence = (cause: unknown): boolean =>
  cause instanceof Error &&
  (cause instanceof LateError || cause.message === 'Query read timeout' || isSilence(cause.cause));

/** A statement was prepared behind one that failed, and so was not. */
export const isNotPrepared = (cause: unknown): boolean => errorCode(cause) === '26000';

/** Another transaction was in the way, so that the same may succeed the next time. */
export const isTransient = (cause: unknown): boolean =>
  isNotPrepared(cause) || ['40001', '40P01', '55P03'].includes(errorCode(cause) ?? '');

/** Two transactions wait for each other, and PostgreSQL has ended the wait of one. */
export const isDeadlock = (cause: unknown): boolean => errorCode(cause) === '40P01';

/** Takes the error of a client that is given up, or of a query whose failure shows otherwise. */
export const ignoreError = (): void => {};

/** A transaction of the host that could not begin or commit, and the error of the store. */
export class TransactionError extends ClinicalRecordsError {
  readonly storeError: StoreError;

  constructor(error: StoreError) {
    super(error);
    this.storeError = error;
  }
}

const reasonOf = (cause: unknown): string => {
  const code = errorCode(cause);
  return code === null ? '' : ` (${code})`;
};

/** The pool has given no client. Its cause is the error of pg, which names neither records nor passwords. */
export class NoConnectionError extends Error {}

/** Whether the host has ended its pool, in the words of pg. */
const isOfEndedPool = (cause: unknown): boolean =>
  cause instanceof Error && cause.message.startsWith('Cannot use a pool after calling end');

const noConnectionError = (cause: unknown): StoreError => {
  const message = cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '';
  const sentence = `There is no connection to PostgreSQL${reasonOf(cause)}${message}`;
  return unavailableError(sentence.endsWith('.') ? sentence : `${sentence}.`, cause);
};

/** The tables are not those that the store was opened for. */
export class TablesError extends Error {}

/** The tables must be migrated, but the database is read-only. */
export class NotMigratedError extends Error {}

/** Two connections share what the client thinks is one, or the other way round. */
const isPreparedElsewhere = (cause: unknown): boolean => ['26000', '42P05'].includes(errorCode(cause) ?? '');

const preparedElsewhereMessage = (code: string): string =>
  `A pooler has given a transaction another connection than that of its prepared statements${code}. ` +
  'Open the store with `preparedStatements: false`.';

export const statementFailedError = misuseError(
  'A statement in the transaction has failed, so PostgreSQL rolls back all of it. Use a savepoint around a statement that may fail.',
);

/** A statement of the host has failed before, in the same transaction. */
const isTransactionFailed = (cause: unknown): boolean => errorCode(cause) === '25P02';

/** A transaction of the host is not open, or cannot be joined. The message says what to change. */
export class TransactionEndedError extends Error {}

/** A statement that needs a transaction is outside of one. */
export const isOutsideTransaction = (cause: unknown): boolean => errorCode(cause) === '25P01';

/** The tenant has been made read-only. The connection can be used again, as after a refusal of PostgreSQL. */
export class ReadOnlyTenantError extends Error {
  readonly severity = 'ERROR';

  constructor(tenant: string) {
    super(`The tenant ${tenant} is read-only at the moment.`);
  }
}

/** The connection of a tool is lost. */
export class ToolError extends Error {}

/** The error of PostgreSQL. Its own message is only in the cause, because it may contain data of a chart. */
export const postgresError = (cause: unknown): StoreError => {
  if (cause instanceof TransactionError) return cause.storeError;
  if (cause instanceof TablesError) return misuseError(cause.message);
  if (cause instanceof NotMigratedError) return unavailableError(cause.message, cause.cause);
  if (cause instanceof ReadOnlyTenantError) return { _tag: 'NotWritable', message: cause.message, cause };
  if (isReadOnly(cause))
    return { _tag: 'NotWritable', message: `The PostgreSQL database is read-only${reasonOf(cause)}.`, cause };
  if (cause instanceof LateError) return unavailableError(`${silence}.`, cause);
  if (cause instanceof NoConnectionError)
    return isOfEndedPool(cause.cause) ? storeClosedError : noConnectionError(cause.cause);
  if (isTransactionFailed(cause)) return statementFailedError;
  if (cause instanceof TransactionEndedError) return misuseError(cause.message);
  if (cause instanceof ToolError) return unavailableError(cause.message, cause.cause);
  if (isPreparedElsewhere(cause)) return misuseError(preparedElsewhereMessage(reasonOf(cause)));
  return unavailableError(`The PostgreSQL database is unavailable${reasonOf(cause)}.`, cause);
};

/** The error of a commit that is in doubt. */
export const outcomeUnknownError = ({ message, cause }: Error): StoreError => ({
  _tag: 'OutcomeUnknown',
  message: `${message}${reasonOf(cause)}, and it is not known whether the commit was written.`,
  cause,
});

/**
 * Whether PostgreSQL has waited too long for the end of the feed. Its messages may be in another language, but name the table.
 * Source: PostgreSQL, `XactLockTableWait`.
 */
const isHeadLocked = (cause: unknown): boolean =>
  cause instanceof Error && 'where' in cause && /\bhead\b/.test(String(cause.where));

/** The error of a commit that has waited too long for what another transaction has locked. */
export const staysLockedError = (cause: unknown): StoreError => ({
  _tag: 'Locked',
  message: isHeadLocked(cause)
    ? 'Another transaction keeps the end of the feed (the table `head`) locked, so that nothing can be committed. Try again later.'
    : 'Another transaction keeps a record locked that this commit needs. Try again later.',
  cause,
});

/** The result of some work, or the error of PostgreSQL. */
export const attempt = async <A>(work: () => Promise<A>): Promise<Either<StoreError, A>> => {
  try {
    return right(await work());
  } catch (cause) {
    return left(postgresError(cause));
  }
};
