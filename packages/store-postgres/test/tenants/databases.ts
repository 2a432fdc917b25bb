import {
  createDatabase,
  findPgBouncer,
  openPool as openTestPool,
  type PgBouncer,
  startPgBouncer,
  startSilentProxy,
} from '@clinical-records/testing-postgres';
import type pg from 'pg';
import { afterAll, inject, onTestFinished } from 'vitest';

/** Does work after the test, or after all tests of the file if it is called outside of a test. */
const afterTests = (work: () => Promise<unknown>): void => {
  try {
    onTestFinished(async () => {
      await work();
    });
  } catch {
    afterAll(work);
  }
};

/** The URL of an empty database, which is removed after the tests. */
export const newDatabase = async (): Promise<string> => {
  const database = await createDatabase(inject('postgresUrl'));
  afterTests(database.drop);
  return database.url;
};

/** A pool that ends after the tests. */
export const openPool = (connectionString: string, options: pg.PoolConfig = {}): pg.Pool => {
  const pool = openTestPool(connectionString, options);
  afterTests(() => pool.end());
  return pool;
};

/** A way to a server that can fall silent, until the end of the tests. */
export const openProxy = async (serverUrl: string) => {
  const proxy = await startSilentProxy(serverUrl);
  afterTests(async () => proxy.close());
  return proxy;
};

/** A pool on a database of its own. */
export const newPool = async (options: pg.PoolConfig = {}): Promise<pg.Pool> =>
  openPool(await newDatabase(), options);

/** A pool of a new user, who has no right but what `grants` give the name. Both go after the tests. */
export const newUser = async (
  owners: pg.Pool,
  name: string,
  grants: (user: string) => string,
  options: pg.PoolConfig = {},
): Promise<pg.Pool> => {
  const { rows } = await owners.query('select current_database() as database');
  const { database } = rows[0];
  const user = `${database}_${name}`;
  await owners.query(`create role ${user} login password 'secret'; ${grants(user)}`);
  const { hostname, port } = new URL(inject('postgresUrl'));
  const limited = openTestPool(`postgres://${user}:secret@${hostname}:${port}/${database}`, options);
  afterTests(async () => {
    await limited.end();
    await owners.query(`drop owned by ${user}; drop role ${user}`);
  });
  return limited;
};

/** Why tests behind PgBouncer are skipped; null if they are not. */
export const noPgBouncer = findPgBouncer() === null ? 'PgBouncer is not installed' : null;

/** A database behind PgBouncer in transaction mode, which has some connections of the server for all clients. */
export const newPgBouncer = async (
  connections: number,
): Promise<PgBouncer & { readonly serverUrl: string }> => {
  const serverUrl = await newDatabase();
  const pgBouncer = await startPgBouncer(serverUrl, { settings: { default_pool_size: `${connections}` } });
  afterTests(pgBouncer.stop);
  return { ...pgBouncer, serverUrl };
};
