/**
 * The embedded default store.
 *
 * @module @clinical-records/store-sqlite
 */

export type { SqliteDatabase, SqliteStatement } from './database.ts';
export { inTransaction } from './in-transaction.ts';
export { openSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.ts';
