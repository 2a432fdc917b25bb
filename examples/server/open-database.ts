import type { StoreError } from '@clinical-records/core/store';
import { openPostgresStore } from '@clinical-records/store-postgres';
import pg from 'pg';
import { CommandError } from './command-error.ts';
import { type DatabaseLocation, locationName } from './data-location.ts';
import type { ServedStore } from './web/health.ts';

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? '';

/** The reason why a database cannot be opened. No record was read yet, so the message contains nothing of a chart. */
const reasonOf = (cause: unknown): string => {
  const code = codeOf(cause);
  if (/^E[A-Z_]+$/.test(code)) return `no server answers there (${code})`;
  if (code === '' && /SASL.*password/.test((cause as Error).message))
    return 'the server asks for a password: set PGPASSWORD';
  if (code === '25006') return 'there are no records of this version in it';
  return (cause as Error).message;
};

const openError = (location: DatabaseLocation, cause: unknown): CommandError =>
  new CommandError(`cannot open ${locationName(location)}: ${reasonOf(cause)}`, 'data');

/** The error of the database, because of which a call of a store failed. */
export const causeOf = (failure: StoreError): unknown => ('cause' in failure && failure.cause) || failure;

/** How a client connects. The system notices a server that is gone while nobody asks it. */
const connectionTo = ({ url }: DatabaseLocation) => ({
  connectionString: url,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
});

/** How the clients of a pool connect. A query waits for a limited time for a server that is gone or silent. */
export const poolOf = (location: DatabaseLocation) => ({
  ...connectionTo(location),
  application_name: 'clinical-records',
  query_timeout: (location.queryTimeout ?? 15) * 1000,
  pipeline: true,
});

/** Runs statements on a connection of their own. */
export const useClient = async <Result>(
  location: DatabaseLocation,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client(connectionTo(location));
  try {
    await client.connect();
    return await use(client);
  } catch (cause) {
    throw cause instanceof CommandError ? cause : openError(location, cause);
  } finally {
    await client.end();
  }
};

const forbidWrites = (client: pg.ClientBase) => client.query('set default_transaction_read_only = on');

/** Opens a schema. Throws a `CommandError` if no server answers, or does not allow to use the schema. */
export const openDatabase = async (
  location: DatabaseLocation,
  { isReadOnly = false }: { readonly isReadOnly?: boolean } = {},
): Promise<ServedStore> => {
  const { schema } = location;
  const pool = new pg.Pool({ ...poolOf(location), ...(isReadOnly ? { onConnect: forbidWrites } : {}) });
  // A client that loses its connection while nobody uses it is replaced by the next request.
  pool.on('error', () => {});
  const store = openPostgresStore({ pool, schema });
  const close = async (): Promise<void> => {
    try {
      await store.close();
    } finally {
      await pool.end();
    }
  };
  const first = await store.read({ type: 'Patient', id: 'none' });
  if (first._tag === 'Left') {
    await close();
    throw openError(location, causeOf(first.left));
  }
  const allowsNoWrites = async () => {
    const { rows } = await pool.query('show transaction_read_only');
    return rows[0].transaction_read_only === 'on';
  };
  return { ...store, close, isReadOnly: allowsNoWrites };
};
