import { ClinicalRecordsError } from '@clinical-records/core';
import type { StoreError } from '@clinical-records/core/store';
import {
  createTenant,
  openPostgresStore,
  type PostgresPool,
  primaryOf,
} from '@clinical-records/store-postgres';
import pg from 'pg';
import { CommandError } from '../command/command-error.ts';
import type { ServedStore } from '../web/health.ts';
import { type DatabaseLocation, locationName, serversOf } from './data-location.ts';

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? '';

/** The reason why a database cannot be opened. No record was read yet, so the message contains nothing of a chart. */
const databaseReasonOf = (cause: unknown): string => {
  const code = codeOf(cause);
  if (/^E[A-Z_]+$/.test(code)) return `no server answers there (${code})`;
  if (code === '' && /SASL.*password/.test((cause as Error).message))
    return 'the server asks for a password: set PGPASSWORD';
  if (code === '25006') return 'there are no records of this version in it';
  return (cause as Error).message;
};

const databaseError = (location: DatabaseLocation, cause: unknown): CommandError =>
  new CommandError(`cannot open ${locationName(location)}: ${databaseReasonOf(cause)}`, 'data');

/** The error of the database, because of which a call of a store failed. */
export const causeOf = (failure: StoreError): unknown => ('cause' in failure && failure.cause) || failure;

/** Opens a pool of one server. The system notices a server that is gone while nobody asks it. */
const openServer = (connectionString: string, config: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 10_000, keepAlive: true, ...config });
  // A client that loses its connection while nobody uses it is replaced by the next request.
  pool.on('error', () => {});
  return pool;
};

/** A pool, and what closes its connections. */
type OpenPool = {
  readonly pool: PostgresPool<pg.PoolClient>;
  /** How many calls wait for a connection. */
  readonly countWaiting: () => number;
  readonly end: () => Promise<void>;
};

/** Opens a pool of the only server of a database, or of the one among several that is the primary. */
const openPrimary = ({ url }: DatabaseLocation, config: pg.PoolConfig): OpenPool => {
  const pools = serversOf(url).map((server) => openServer(server, config));
  const [first, ...others] = pools;
  return {
    pool: first !== undefined && others.length === 0 ? first : primaryOf<pg.PoolClient>(pools),
    countWaiting: () => pools.reduce((waiting, { waitingCount }) => waiting + waitingCount, 0),
    end: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
};

/** How the clients of a store connect. A query waits for a limited time for a server that is gone or silent. */
const storeConfig = ({ queryTimeout = 15 }: DatabaseLocation) => ({
  application_name: 'clinical-records',
  query_timeout: queryTimeout * 1000,
  pipeline: true,
});

/** Opens a pool for a store, with at most so many clients. */
export const openPool = (location: DatabaseLocation, max: number): OpenPool =>
  openPrimary(location, { ...storeConfig(location), max });

/** Runs statements on a connection of their own. */
export const useClient = async <Result>(
  location: DatabaseLocation,
  use: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const { pool, end } = openPrimary(location, { max: 1 });
  try {
    const client = await pool.connect();
    // A connection that has failed is closed.
    return await use(client).finally(() => client.release(true));
  } catch (cause) {
    throw cause instanceof CommandError ? cause : databaseError(location, cause);
  } finally {
    await end();
  }
};

/** Creates the clinic of a location, which is empty. Throws a `CommandError` if there is one of that name. */
export const createClinic = async (location: DatabaseLocation, tenant: string): Promise<void> => {
  const { pool, end } = openPrimary(location, { max: 1 });
  try {
    await createTenant({ pool, schema: location.schema, tenant });
  } catch (cause) {
    const failure = cause instanceof ClinicalRecordsError ? cause.cause : cause;
    throw new CommandError(`cannot create ${locationName(location)}: ${databaseReasonOf(failure)}`, 'data');
  } finally {
    await end();
  }
};

const forbidWrites = (client: pg.ClientBase) => client.query('set default_transaction_read_only = on');

const isWriteForbidden = async ({ pool }: OpenPool): Promise<boolean> => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query('show transaction_read_only');
    return rows[0].transaction_read_only === 'on';
  } finally {
    client.release();
  }
};

/** Opens a schema. Throws a `CommandError` if no server answers, or does not allow to use the schema. */
export const openDatabase = async (
  location: DatabaseLocation,
  { isReadOnly = false }: { readonly isReadOnly?: boolean } = {},
): Promise<ServedStore> => {
  const { schema, tenant, poolSize, isUnprepared = false, replicas = [] } = location;
  const config = {
    ...storeConfig(location),
    ...(poolSize !== undefined && { max: poolSize }),
    ...(isReadOnly && { onConnect: forbidWrites }),
  };
  const primary = openPrimary(location, config);
  const standbys = replicas.map((server) => openServer(server, config));
  const store = openPostgresStore({
    ...{ pool: primary.pool, replicas: standbys, schema, preparedStatements: !isUnprepared },
    ...(tenant !== undefined && { tenant }),
  });
  const close = async (): Promise<void> => {
    try {
      await store.close();
    } finally {
      await Promise.all([primary, ...standbys].map((each) => each.end()));
    }
  };
  const first = await store.read({ type: 'Patient', id: 'none' });
  if (first._tag === 'Left') {
    await close();
    throw databaseError(location, causeOf(first.left));
  }
  return {
    ...store,
    close,
    isReadOnly: () => isWriteForbidden(primary),
    queues: { pool: primary.countWaiting },
  };
};
