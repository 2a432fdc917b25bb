import { hash } from 'node:crypto';
import { close, fdatasync, openSync, realpathSync } from 'node:fs';
import { promisify } from 'node:util';
import { ClinicalRecordsError } from '@clinical-records/core';
import {
  type AuditEntry,
  type AuditQuery,
  type AuditStore,
  type ClinicalStore,
  chainAuditEntries,
  checkOptionNames,
  type StoreError,
  type StoreOutcome,
  storeClosedError,
  unknownPositionError,
} from '@clinical-records/core/store';
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js';
import {
  isOwnHandle,
  openDatabase,
  requirePrefix,
  type SqliteDatabase,
  type SqliteStoreOptions,
} from '../database.ts';
import { createHostTransactionGate, databaseOf } from '../host-transaction.ts';
import { createReadTransaction } from '../statement.ts';
import {
  attempt,
  committedToGoneFileError,
  fileGoneError,
  outcomeUnknownError,
  sqliteError,
  waitForLock,
} from '../store-errors.ts';
import { createWriteTransaction, InDoubtError } from '../write/group-commit.ts';
import { createAuditIndex, createAuditStatements, createAuditTable } from './audit-table.ts';

/** How commits become durable. */
type LogSync = {
  /** Does work that commits. */
  readonly commit: <A>(work: () => A) => A;
  /** Resolves once everything that was committed is durable. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** For a database that is as durable as its own settings say. */
const syncAtCommit: LogSync = {
  commit: (work) => work(),
  sync: async () => {},
  close: async () => {},
};

/**
 * Syncs the log (`-wal`) of a file in a thread of Node, so that other requests go on. SQLite would block all of them.
 * With `synchronous=NORMAL`, SQLite does not sync the log at a commit, but before it copies the log to the file.
 */
const createLogSync = (database: SqliteDatabase): LogSync => {
  if (database.memory || database.name === undefined) return syncAtCommit;
  // A handle that could not write could not sync on each system.
  const file = openSync(`${realpathSync(database.name.trim())}-wal`, 'r+');
  const syncLog = promisify(fdatasync);
  const withoutSync = database.prepare('PRAGMA synchronous = NORMAL');
  const withSync = database.prepare('PRAGMA synchronous = FULL');
  return {
    commit: (work) => {
      withoutSync.run();
      try {
        return work();
      } finally {
        withSync.run();
      }
    },
    sync: () => syncLog(file),
    close: () => promisify(close)(file),
  };
};

/** Reads and writes the table of a log and its index. Each write must run in a transaction. */
const createAuditOperations = (database: SqliteDatabase, table: string) => {
  const statements = createAuditStatements(database, table);
  const index = createAuditIndex(database, table);

  // In one transaction. Otherwise another process could index entries in between, and a search would find them twice.
  const search = createReadTransaction(database, (query: AuditQuery) =>
    index.search(query, { start: statements.readStart().position, last: statements.readHead().position }),
  );

  const appendAll = (entries: readonly AuditEntry[]): void => {
    const head = statements.readHead();
    for (const entry of chainAuditEntries((text) => hash('sha256', text), head, entries)) {
      statements.insert(entry);
    }
    index.indexCompleteBlocks(head.position, head.position + entries.length);
  };

  const removeAll = (position: number): boolean => {
    const start = statements.readStart();
    if (!statements.removeUntil(position)) return false;
    index.removeUntil(position, start.position);
    return true;
  };

  return { search, appendAll, removeAll, scan: statements.scan, readStart: statements.readStart };
};

type DurableWrites = {
  /** Writes, and resolves once that is durable. */
  readonly write: <A>(work: () => A) => StoreOutcome<A>;
  /** Resolves once no write is running. */
  readonly end: () => Promise<unknown>;
};

const createDurableWrites = (
  {
    database,
    fileWatch,
    beforeCommit,
  }: Pick<ReturnType<typeof openDatabase>, 'database' | 'fileWatch' | 'beforeCommit'>,
  log: LogSync,
  whileOpen: <A>(work: () => Either<StoreError, A>) => StoreOutcome<A>,
): DurableWrites => {
  const transaction = createWriteTransaction(database);
  /** The error of a sync that failed. After a crash, what was written since may be gone, too. */
  let syncError: StoreError | null = null;
  const running = new Set<Promise<unknown>>();

  const commit = <A>(work: () => A): Either<StoreError, A> => {
    let result: A;
    try {
      beforeCommit();
      result = log.commit(() => transaction(work));
    } catch (error) {
      return left(error instanceof InDoubtError ? outcomeUnknownError(error.cause) : sqliteError(error));
    }
    return fileWatch.isInPlace() ? right(result) : left(committedToGoneFileError);
  };

  const syncLog = async (): Promise<Either<StoreError, void>> => {
    try {
      await log.sync();
    } catch (cause) {
      syncError = outcomeUnknownError(cause);
    }
    return syncError === null ? right(undefined) : left(syncError);
  };

  const writeDurably = async <A>(work: () => A): StoreOutcome<A> => {
    if (syncError !== null) return left(syncError);
    const written = await whileOpen(() => commit(work));
    if (isLeft(written)) return written;
    const synced = await syncLog();
    return isLeft(synced) ? synced : written;
  };

  return {
    write: (work) => {
      const write = writeDurably(work);
      running.add(write);
      return write.finally(() => running.delete(write));
    },
    end: () => Promise.all(running),
  };
};

/** Creates the store on a database that has its table. */
export const createSqliteAuditStore = (
  { database, fileWatch, beforeCommit, close, transactionTimeout }: ReturnType<typeof openDatabase>,
  table: string,
  log: LogSync,
): AuditStore => {
  const { search, appendAll, removeAll, scan, readStart } = createAuditOperations(database, table);
  let isOpen = true;
  const gate = createHostTransactionGate(database, { transactionTimeout, isStoreOpen: () => isOpen });

  /** Runs work outside of a transaction of the host, which may be rolled back. */
  const runOutside = async <A>(work: () => Either<StoreError, A>): StoreOutcome<A> => {
    if (!fileWatch.wasInPlace()) return left(fileGoneError);
    if (!database.inTransaction) return work();
    // Another transaction may begin between two waiters.
    return gate.runOutside(() => runOutside(work));
  };

  const whileOpen = async <A>(work: () => Either<StoreError, A>): StoreOutcome<A> => {
    const error = isOpen ? gate.refuseForgotten() : storeClosedError;
    return error === null ? waitForLock(database, () => runOutside(work)) : left(error);
  };

  const writes = createDurableWrites({ database, fileWatch, beforeCommit }, log, whileOpen);

  return {
    append: (entries) => writes.write(() => appendAll(entries)),
    search: (query) => whileOpen(() => attempt(() => search(query))),
    scan: ({ after, limit }) => whileOpen(() => attempt(() => scan(after, limit))),
    start: () => whileOpen(() => attempt(readStart)),
    removeUntil: async (position) => {
      const removed = await writes.write(() => removeAll(position));
      if (isLeft(removed)) return removed;
      return removed.right ? right(undefined) : left(unknownPositionError);
    },
    close: async () => {
      if (!isOpen) throw new ClinicalRecordsError(storeClosedError);
      isOpen = false;
      gate.wake();
      await writes.end();
      try {
        await log.close();
        await close();
      } catch (cause) {
        throw new ClinicalRecordsError(sqliteError(cause));
      }
    },
  };
};

/** Where the log is: beside the records of a store, in a file, or in a database of the host. */
export type SqliteAuditStoreOptions =
  | SqliteStoreOptions
  | {
      /**
       * The open store of the records, whose handle is shared. A handle of its own would make SQLite read the pages of the
       * records again after each write of the log.
       */
      readonly store: ClinicalStore;
      /** The prefix of the names of tables and indexes. */
      readonly prefix?: string;
    };

const toStoreOptions = (options: SqliteAuditStoreOptions): SqliteStoreOptions => {
  if (typeof options !== 'object' || options === null || !('store' in options)) return options;
  checkOptionNames('openSqliteAuditStore', options, { store: true, prefix: true });
  const { store, prefix = '' } = options;
  return { database: databaseOf(store as ClinicalStore), prefix };
};

/**
 * Opens the store of an audit log on SQLite, in a table of its own beside those of the records: `audit_events`, after the
 * prefix. Triggers refuse to change a row, or to delete one that has not expired. Entries are durable once they are appended.
 * On a host's `database` they are as durable as its `synchronous` pragma says. After a sync that failed, the store appends
 * nothing until it is opened again.
 *
 * Entries wait while the host has a transaction open on the handle. Close it before the store whose handle it shares. Throws as
 * `openSqliteStore` does.
 *
 * @example
 * const audit = createAuditLog({ store: openSqliteAuditStore({ store }) });
 */
export const openSqliteAuditStore = (options: SqliteAuditStoreOptions): AuditStore => {
  const storeOptions = toStoreOptions(options);
  const table = `${requirePrefix('openSqliteAuditStore', storeOptions)}audit_events`;
  const opened = openDatabase(storeOptions);
  try {
    const { database } = opened;
    createAuditTable(database, table);
    opened.start();
    return createSqliteAuditStore(
      opened,
      table,
      isOwnHandle(database) ? createLogSync(database) : syncAtCommit,
    );
  } catch (cause) {
    void opened.close();
    throw cause;
  }
};
