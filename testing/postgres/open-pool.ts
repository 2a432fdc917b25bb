import pg from 'pg';

/**
 * Opens a pool whose connections the server may end, such as when its database is dropped. A connection that is being closed
 * has no other listener, and an error without a listener would end the process.
 */
export const openPool = (connectionString: string, options: pg.PoolConfig = {}): pg.Pool => {
  const pool = new pg.Pool({ connectionString, ...options });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};
