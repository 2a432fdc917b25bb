import type { StoreError } from './store-error.ts';

/** The error of a store that cannot do its work: the reason, and the error of the database if there is one. */
export const unavailableError = (
  message: string,
  cause: unknown = null,
): Extract<StoreError, { readonly _tag: 'Unavailable' }> => ({ _tag: 'Unavailable', message, cause });

/** The error of a host that has to change its program: the fault, and the remedy. */
export const misuseError = (message: string): StoreError => ({ _tag: 'Misuse', message });

/** The error of everything that is called after `close`. */
export const storeClosedError: StoreError = { _tag: 'Closed' };

/** The error of a feed or a scan that is to begin after a position without an entry. */
export const unknownPositionError: StoreError = { _tag: 'UnknownPosition' };

/** The error of a commit that names a record twice among its changes. */
export const repeatedRecordError: StoreError = unavailableError('A commit names a record twice.');

/** The error of a call that comes after the end of the transaction to which it belongs. */
export const transactionOverError: StoreError = misuseError(
  'The transaction is over. Await everything that belongs to it before its work ends.',
);

/** The error of `commitAll` on a store that is part of a transaction. */
export const nestedTransactionError: StoreError = misuseError(
  'A transaction cannot begin within another. Call the records of records.in(tx) themselves.',
);

/** The error of `close` on a store that is part of a transaction. */
export const endsWithTransactionError: StoreError = misuseError(
  'This store is a part of a transaction, and ends with it.',
);

/** Rolls a transaction of `commitAll` back, because one of its commits cannot be written after those before it. */
export class RefusedCommitError extends Error {
  /** The error of the commit. */
  readonly error: StoreError;

  /** Keeps the error of the commit. */
  constructor(error: StoreError) {
    super('A commit of several is refused.');
    this.error = error;
  }
}

/** Rolls a transaction of `commitAll` back, because a statement of the host has thrown its `cause`. */
export class HostStatementError extends Error {
  /** Keeps what the statement has thrown. */
  constructor(cause: unknown) {
    super('A statement of the host has failed.', { cause });
  }
}
