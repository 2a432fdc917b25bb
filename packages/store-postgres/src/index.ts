/**
 * The store on PostgreSQL, for several processes and machines.
 * You need it if you have PostgreSQL, or more than one machine.
 *
 * @module @clinical-records/store-postgres
 */

export {
  auditTableSql,
  openPostgresAuditStore,
  openRemovedAuditStore,
} from './audit/open-postgres-audit-store.ts';
export { inTransaction } from './host/in-transaction.ts';
export {
  type DrizzleSql,
  type DrizzleTransaction,
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPg,
  fromPrisma,
  fromQuery,
  fromTypeOrm,
  type HostQuery,
  type KnexTransaction,
  type KyselyTransaction,
  type PrismaTransaction,
  type TypeOrmTransaction,
} from './host/tools.ts';
export { migrationSql, openPostgresStore, type PostgresStore } from './open-postgres-store.ts';
export type { PostgresStoreOptions } from './postgres-options.ts';
export type {
  HostClient,
  PostgresClient,
  PostgresNotice,
  PostgresPool,
  PostgresQuery,
  PostgresResult,
  QueryRunner,
} from './postgres-pool.ts';
export { primaryOf } from './primary-of.ts';
export { moveTenant, type TenantMove } from './tables/move-tenant.ts';
export {
  createTenant,
  listRemovedTenants,
  listTenants,
  type RemovedTenant,
  removeTenant,
  setTenantReadOnly,
  type TenantOptions,
  type TenantSummary,
} from './tables/tenants.ts';
