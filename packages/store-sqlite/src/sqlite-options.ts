import { type OpenDatabase, openDatabaseFile, type SqliteDatabase, wrapDatabase } from './database.ts';

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
  /**
   * How many milliseconds to wait for a file that another process writes to. Default: 5000. On a host's handle, its own
   * `timeout` counts.
   */
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

/** Returns the prefix of the names of tables. Throws if it is not valid, or if the options are incomplete. */
export const requirePrefix = (options: SqliteStoreOptions): string => {
  checkOptions(options);
  const { prefix = '' } = options;
  if (/^([A-Za-z_][A-Za-z0-9_]*)?$/.test(prefix)) return prefix;
  throw new Error('prefix must begin with a letter or _, and have only letters, digits and _.');
};

/** Opens the file, or wraps the open handle. */
export const openDatabase = (
  options: SqliteStoreOptions,
): OpenDatabase & { readonly transactionTimeout: number } =>
  'database' in options
    ? { ...wrapDatabase(options.database), transactionTimeout: options.transactionTimeout ?? 5000 }
    : { ...openDatabaseFile(options.filename, options.busyTimeout ?? 5000), transactionTimeout: 5000 };
