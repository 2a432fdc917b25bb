/**
 * The store on PostgreSQL, for several processes and machines.
 *
 * @module @clinical-records/store-postgres
 */

export { migrationSql, openPostgresStore, type PostgresStoreOptions } from './open-postgres-store.ts';
export type { PostgresClient, PostgresPool, PostgresQuery, PostgresResult } from './postgres-pool.ts';
