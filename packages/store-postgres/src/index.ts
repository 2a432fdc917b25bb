/**
 * The store on PostgreSQL, for several processes and machines.
 *
 * @module @clinical-records/store-postgres
 */

export { inTransaction } from './host/in-transaction.ts';
export { migrationSql, openPostgresStore, type PostgresStoreOptions } from './open-postgres-store.ts';
export type {
  HostClient,
  PostgresClient,
  PostgresNotice,
  PostgresPool,
  PostgresQuery,
  PostgresResult,
} from './postgres-pool.ts';
export { primaryOf } from './primary-of.ts';
