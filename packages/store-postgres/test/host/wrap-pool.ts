import type pg from 'pg';
import type { PostgresPool, PostgresQuery, PostgresResult } from '../../src/index.ts';

/** A pool that passes the queries on its clients to `run`, which sends them or returns something else. */
export const wrapPool = (
  pool: pg.Pool,
  run: (client: pg.PoolClient, query: PostgresQuery) => Promise<PostgresResult>,
): PostgresPool => ({
  get waitingCount() {
    return pool.waitingCount;
  },
  connect: async () => {
    const client = await pool.connect();
    return {
      query: (query) => run(client, query),
      on: (event, listener) => client.on(event, listener),
      removeListener: (event, listener) => client.removeListener(event, listener),
      release: (isBroken) => client.release(isBroken),
    };
  },
});
