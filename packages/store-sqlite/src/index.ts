/**
 * The embedded default store.
 * You need it if the charts are in one SQLite file, or in that of your app.
 *
 * @module @clinical-records/store-sqlite
 */

export { openSqliteAuditStore, type SqliteAuditStoreOptions } from './audit/open-sqlite-audit-store.ts';
export type { SqliteDatabase, SqliteHandle, SqliteStatement, SqliteStoreOptions } from './database.ts';
export { inTransaction } from './host-transaction.ts';
export type { NodeSqliteDatabase, NodeSqliteStatement } from './node-sqlite.ts';
export { openSqliteStore } from './sqlite-store.ts';
export {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPrisma,
  fromSqlite,
  fromTypeOrm,
  type KnexTransaction,
  type KyselyTransaction,
  type TypeOrmTransaction,
} from './tools.ts';
