export type { SqliteDatabase, SqliteStatement } from './database.ts';
export { openSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.ts';
