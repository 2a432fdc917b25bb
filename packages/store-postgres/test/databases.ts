import {
  createDatabase,
  findPgBouncer,
  type PgBouncer,
  startPgBouncer,
} from '@clinical-records/testing-postgres';
import pg from 'pg';
import { afterAll, inject } from 'vitest';

/** The URL of an empty database, which is removed after the tests of the file. */
export const newDatabase = async (): Promise<string> => {
  const database = await createDatabase(inject('postgresUrl'));
  afterAll(database.drop);
  return database.url;
};

/** A pool that ends after the tests of the file. */
export const openPool = (connectionString: string, options: pg.PoolConfig = {}): pg.Pool => {
  const pool = new pg.Pool({ connectionString, ...options });
  pool.on('error', () => {});
  afterAll(() => pool.end());
  return pool;
};

/** A pool on a database of its own. */
export const newPool = async (options: pg.PoolConfig = {}): Promise<pg.Pool> =>
  openPool(await newDatabase(), options);

/** Why tests behind PgBouncer are skipped; null if they are not. */
export const noPgBouncer = findPgBouncer() === null ? 'PgBouncer is not installed' : null;

/** A database behind PgBouncer in transaction mode, which has some connections of the server for all clients. */
export const newPgBouncer = async (
  connections: number,
): Promise<PgBouncer & { readonly serverUrl: string }> => {
  const serverUrl = await newDatabase();
  const pgBouncer = await startPgBouncer(serverUrl, { settings: { default_pool_size: `${connections}` } });
  afterAll(pgBouncer.stop);
  return { ...pgBouncer, serverUrl };
};
