import type { OpenStore } from '@clinical-records/core/store';
import { type OpenDatabase, openDatabaseFile, type SqliteDatabase, wrapHostDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { createQueryBuilder } from './query-builder.ts';
import { createSqliteStore } from './sqlite-store.ts';

/** Where the records are kept: in a file of the store's own, or in a database of the host. */
export type SqliteStoreOptions = (
  | {
      /** The file, which is created if it does not exist. `:memory:` keeps the records in memory. */
      readonly filename: string;
    }
  | {
      /** A better-sqlite3 `Database` of the host. Its pragmas do not change, and `close` leaves it open. */
      readonly database: SqliteDatabase;
      /** How many milliseconds to wait for an open transaction on the handle. Default: 5000. */
      readonly transactionTimeout?: number;
    }
) & {
  /** The prefix of all names of tables and indexes: a letter or `_`, then letters, digits and `_`. */
  readonly prefix?: string;
  /** How many milliseconds to wait for a file that another process writes to. On a host's handle, the host decides. */
  readonly busyTimeout?: number;
};

/** Plain JavaScript may pass a filename, or the handle of another driver. */
const checkOptions = (options: SqliteStoreOptions): void => {
  const value: unknown = options;
  if (typeof value !== 'object' || value === null) {
    throw new TypeError("openSqliteStore needs options, such as { filename: 'clinic.db' }.");
  }
  if (!('database' in value)) return;
  const { database } = value as { readonly database: Partial<SqliteDatabase> | null | undefined };
  if (typeof database?.prepare !== 'function' || typeof database.transaction !== 'function') {
    throw new TypeError('database must be an open Database of better-sqlite3.');
  }
};

const openDatabase = (options: SqliteStoreOptions): OpenDatabase =>
  'database' in options
    ? wrapHostDatabase(options.database)
    : openDatabaseFile(options.filename, options.busyTimeout ?? 5000);

/**
 * Opens a store on SQLite with better-sqlite3, and migrates its tables to the schema of this version.
 *
 * The reads of one turn of the event loop share a transaction at its end, except those of the first callback that
 * reads. The commits of one turn are written in one transaction, and return once it is durable. On a host's `database`
 * they are as durable as its `synchronous` pragma says. Reads and commits wait while the host has a transaction open on
 * it. Those of `records.in(tx)` are a part of the transaction, see `inTransaction`.
 *
 * Throws an Error if the options are incomplete, `database` is not a handle, or `prefix` is invalid. It also throws if
 * the file cannot be opened, its tables are from a newer version, or tables must be created while the host has a
 * transaction open.
 *
 * @example
 * const store = openSqliteStore({ filename: 'clinic.db' });
 */
export const openSqliteStore = (options: SqliteStoreOptions): OpenStore => {
  checkOptions(options);
  const prefix = options.prefix ?? '';
  if (!/^([A-Za-z_][A-Za-z0-9_]*)?$/.test(prefix)) {
    throw new Error('prefix must begin with a letter or _, and have only letters, digits and _.');
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
