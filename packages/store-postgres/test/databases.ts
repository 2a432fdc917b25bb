import { createDatabase } from '@clinical-records/testing-postgres';
import pg from 'pg';
import { afterAll, inject } from 'vitest';

/** A pool on a database of its own, which is removed after the tests of the file. */
export const newPool = async (options: pg.PoolConfig = {}): Promise<pg.Pool> => {
  const database = await createDatabase(inject('postgresUrl'));
  const pool = new pg.Pool({ connectionString: database.url, ...options });
  pool.on('error', () => {});
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  return pool;
};
