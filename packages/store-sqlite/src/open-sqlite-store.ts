import type { ClinicalStore } from '@clinical-records/core/store';
import { openDatabase, requirePrefix, type SqliteStoreOptions } from './database.ts';
import { migrate } from './migrate.ts';
import { createQueryBuilder } from './schema.ts';
import { createSqliteStore } from './sqlite-store.ts';

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
export const openSqliteStore = (options: SqliteStoreOptions): ClinicalStore => {
  const prefix = requirePrefix(options);
  const { transactionTimeout, database, fileWatch, start, onCommit, close } = openDatabase(options);
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
