import type { OpenStore } from '@clinical-records/core';
import { type OpenDatabase, openDatabaseFile, type SqliteDatabase, wrapHostDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { createQueryBuilder } from './query-builder.ts';
import { createSqliteStore } from './sqlite-store.ts';

/** Where the records are: in a file of the store's own, or in a database of the host. */
export type SqliteStoreOptions = (
  | {
      /** The file, which is made where there is none; `:memory:` makes no file at all. */
      readonly filename: string;
    }
  | {
      /** A better-sqlite3 `Database` of the host. Its pragmas stay as they are, and `close` leaves it open. */
      readonly database: SqliteDatabase;
      /** How many milliseconds to wait for a transaction that is open on the handle, 5000 if this is not given. */
      readonly transactionTimeout?: number;
    }
) & {
  /** Stands before the names of all tables and indexes: a letter or `_`, then letters, digits and `_`. */
  readonly prefix?: string;
  /** How many milliseconds to wait for a file that another process writes to; on a host's handle, the host decides. */
  readonly busyTimeout?: number;
};

/** Plain JavaScript may pass the name of a file, or the handle of another driver. */
const checkOptions = (options: SqliteStoreOptions): void => {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) {
    throw new TypeError("openSqliteStore needs options, such as { filename: 'clinic.db' }.");
  }
  if (!('database' in given)) return;
  const { database } = given as { readonly database: Partial<SqliteDatabase> | null | undefined };
  if (typeof database?.prepare !== 'function' || typeof database.transaction !== 'function') {
    throw new TypeError('database must be an open Database of better-sqlite3.');
  }
};

const openDatabase = (options: SqliteStoreOptions): OpenDatabase =>
  'database' in options
    ? wrapHostDatabase(options.database)
    : openDatabaseFile(options.filename, options.busyTimeout ?? 5000);

/**
 * Opens a store on SQLite, by better-sqlite3, and brings its tables to the schema of this version.
 *
 * Reads of one turn of the event loop share a transaction at its end, but for those of the first callback that reads. Commits
 * of one turn are written in one transaction and answered once it is durable. With a host's `database` they are as durable as
 * its `synchronous` pragma says. While the host has a transaction open on it, reads and commits wait for its end; those of
 * `records.in(tx)` are a part of it, see `inTransaction`.
 *
 * Throws an Error where there is no filename, `database` is not a handle, the file cannot be opened, its tables are of a newer version, `prefix` is no
 * such name, or tables are to be made while the host has a transaction open.
 *
 * @example
 * const store = openSqliteStore({ filename: 'clinic.db' });
 */
export const openSqliteStore = (options: SqliteStoreOptions): OpenStore => {
  checkOptions(options);
  const prefix = options.prefix ?? '';
  if (!/^([A-Za-z_][A-Za-z0-9_]*)?$/.test(prefix)) {
    throw new Error(
      'The prefix of tables begins with a letter or _, and goes on with letters, digits and _.',
    );
  }
  const transactionTimeout = ('database' in options ? options.transactionTimeout : undefined) ?? 5000;
  const { database, fileWatch, start, onCommit, close } = openDatabase(options);
  try {
    const db = createQueryBuilder(prefix);
    migrate({ database, db, prefix });
    const store = createSqliteStore(database, db, {
      fileWatch,
      transactionTimeout,
      onCommit,
      release: close,
    });
    start();
    return store;
  } catch (cause) {
    void close();
    throw cause;
  }
};
