export { findDebianBinaries } from './binaries.ts';
export { createDatabase, type TestDatabase } from './create-database.ts';
export { findFreePort } from './free-port.ts';
export { openPool } from './open-pool.ts';
export type { Postgres, Settings } from './run-cluster.ts';
export { findPatroni, type PatroniCluster, startPatroniCluster } from './start-patroni.ts';
export { findPgBouncer, type PgBouncer, startPgBouncer } from './start-pgbouncer.ts';
export { startPostgres } from './start-postgres.ts';
export { type Standby, startStandby } from './start-standby.ts';
