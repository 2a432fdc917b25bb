import { hash } from 'node:crypto';
import {
  type AuditEntry,
  type AuditStore,
  chainAuditEntries,
  createResult,
  emptyAuditHead,
  type StoreError,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { createHostTransactionGate } from '../host-transaction.ts';
import { openDatabase, requirePrefix, type SqliteStoreOptions } from '../sqlite-options.ts';
import {
  attempt,
  committedToGoneFileError,
  fileGoneError,
  outcomeUnknownError,
  sqliteError,
  storeClosedError,
} from '../store-errors.ts';
import { createWriteTransaction, InDoubtError } from '../write/write-transaction.ts';
import { createAuditStatements } from './audit-statements.ts';
import { createAuditTable } from './audit-table.ts';

const createSqliteAuditStore = (
  { database, fileWatch, onCommit, close, transactionTimeout }: ReturnType<typeof openDatabase>,
  table: string,
): AuditStore => {
  const statements = createAuditStatements(database, table);
  const transaction = createWriteTransaction(database);
  let isOpen = true;
  const gate = createHostTransactionGate(database, { transactionTimeout, isStoreOpen: () => isOpen });

  const write = (entries: readonly AuditEntry[]): Either<StoreError, void> => {
    try {
      transaction(() => {
        const head = statements.readHead() ?? emptyAuditHead;
        for (const entry of chainAuditEntries((text) => hash('sha256', text), head, entries)) {
          statements.insert(entry);
        }
      });
    } catch (error) {
      return left(error instanceof InDoubtError ? outcomeUnknownError(error.cause) : sqliteError(error));
    }
    onCommit();
    return fileWatch.isInPlace() ? right(undefined) : left(committedToGoneFileError);
  };

  /** Runs work outside of a transaction of the host, which may be rolled back. */
  const whileOpen =
    <A>(work: () => Either<StoreError, A>): TE.TaskEither<StoreError, A> =>
    async () => {
      if (!isOpen) return left(storeClosedError);
      if (!fileWatch.wasInPlace()) return left(fileGoneError);
      if (!database.inTransaction) return work();
      // Another transaction may begin between two waiters.
      return gate.runOutside(async () => whileOpen(work)());
    };

  return {
    append: (entries) => whileOpen(() => write(entries)),
    search: (query) => whileOpen(() => attempt(() => statements.search(query))),
    scan: ({ after, limit }) => whileOpen(() => attempt(() => statements.scan(after, limit))),
    close: () =>
      createResult(async () => {
        if (!isOpen) return left(storeClosedError);
        isOpen = false;
        gate.wake();
        return TE.tryCatch(close, sqliteError)();
      }),
  };
};

const openTable = (opened: ReturnType<typeof openDatabase>, table: string): AuditStore => {
  try {
    opened.start();
    createAuditTable(opened.database, table);
    return createSqliteAuditStore(opened, table);
  } catch (cause) {
    void opened.close();
    throw cause;
  }
};

/**
 * Opens the store of an audit log on SQLite, in a table of its own beside those of the records: `audit_events`, after the
 * prefix. Triggers refuse to change or delete a row.
 *
 * On a host's `database`, entries wait while the host has a transaction open on it. If the records are on such a handle,
 * pass the same one. Throws as `openSqliteStore` does.
 *
 * @example
 * const audit = createAuditLog({ store: openSqliteAuditStore({ filename: 'clinic.db' }) });
 */
export const openSqliteAuditStore = (options: SqliteStoreOptions): AuditStore => {
  const table = `${requirePrefix(options)}audit_events`;
  return openTable(openDatabase(options), table);
};
