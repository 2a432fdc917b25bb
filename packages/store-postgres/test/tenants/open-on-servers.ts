import { openPostgresStore, primaryOf } from '@clinical-records/store-postgres';
import pg from 'pg';

/** Opens a store on the primary among some servers, such as `postgres://app@db1/charts` and `postgres://app@db2/charts`. */
export const openOnServers = (urls: readonly string[]) => {
  const pools = urls.map((connectionString) => {
    const pool = new pg.Pool({
      ...{ connectionString, pipeline: true },
      ...{ connectionTimeoutMillis: 10_000, query_timeout: 15_000, keepAlive: true },
    });
    // A connection that is lost while nobody uses it is replaced.
    pool.on('error', () => {});
    return pool;
  });
  return { pools, store: openPostgresStore({ pool: primaryOf(pools), replicas: pools }) };
};
