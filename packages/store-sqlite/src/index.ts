/**
 * The embedded default store.
 *
 * @module @clinical-records/store-sqlite
 */

export { openSqliteAuditStore, type SqliteAuditStoreOptions } from './audit/open-sqlite-audit-store.ts';
export type { SqliteDatabase, SqliteStatement, SqliteStoreOptions } from './database.ts';
export { inTransaction } from './host-transaction.ts';
export type { NodeSqliteDatabase, NodeSqliteStatement } from './node-sqlite.ts';
export { openSqliteStore } from './sqlite-store.ts';
export {
  fromBetterSqlite3,
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPrisma,
  fromTypeOrm,
  type KnexTransaction,
  type KyselyTransaction,
  type TypeOrmTransaction,
} from './tools.ts';
