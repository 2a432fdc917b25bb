import { ignoreError } from './postgres-errors.ts';
import { requireTime } from './postgres-options.ts';
import type { PostgresClient, PostgresPool } from './postgres-pool.ts';
import { closeIdle, connectClient } from './use-client.ts';
import { settlesWithin, within } from './within.ts';

/** The time in milliseconds for which a client is trusted to be one of the primary. */
const trust = 1000;

const isStandby = {
  text: 'select pg_is_in_recovery() as is_standby',
  types: { getTypeParser: () => (text: string) => text === 't' },
};

class NoPrimaryError extends Error {}

/** Connects a client of a pool whose server is the primary. Without an answer, the connection is closed. */
const createConnect = <Client extends PostgresClient>(timeout: number) => {
  /** When the server of a client was last known to be the primary, by `performance.now()`. */
  const seen = new WeakMap<Client, number>();
  return async (pool: PostgresPool<Client>): Promise<Client> => {
    const client = await connectClient(pool);
    if (performance.now() - (seen.get(client) ?? -trust) < trust) return client;
    client.on('error', ignoreError);
    let isAnswered = false;
    try {
      const { rows } = await within(timeout, client.query(isStandby));
      isAnswered = true;
      if ((rows[0] as { is_standby: boolean }).is_standby)
        throw new NoPrimaryError('The server is a standby.');
      seen.set(client, performance.now());
      return client;
    } catch (cause) {
      client.release(!isAnswered);
      if (!isAnswered) closeIdle(pool);
      throw cause;
    } finally {
      client.removeListener('error', ignoreError);
    }
  };
};

/**
 * A pool of the primary among several servers: one pool each, on the same database. It finds the server that is not a
 * standby, and finds it again when a connection fails, or a server does not answer for `timeout` milliseconds (2000).
 *
 * A read that was sent waits for its answer. So set `query_timeout` on the pools, for a server that falls silent.
 * Rejects while none of the servers is the primary. Throws a RangeError for a `timeout` that is not a number of 1 or more.
 *
 * @example
 * const servers = ['postgres://app@db1/charts', 'postgres://app@db2/charts'];
 * const pool = primaryOf<pg.PoolClient>(
 *   servers.map(
 *     (connectionString) =>
 *       new pg.Pool({ connectionString, pipeline: true, query_timeout: 15_000, keepAlive: true }),
 *   ),
 * );
 * const store = openPostgresStore({ pool });
 */
export const primaryOf = <Client extends PostgresClient = PostgresClient>(
  pools: readonly PostgresPool<Client>[],
  { timeout = 2000 }: { readonly timeout?: number } = {},
): PostgresPool<Client> => {
  requireTime({ timeout });
  const connectTo = createConnect<Client>(timeout);
  let primary: PostgresPool<Client> | null = null;
  let search: Promise<PostgresPool<Client>> | null = null;

  const findPrimary = async (): Promise<PostgresPool<Client>> => {
    const answers = pools.map(async (pool) => {
      (await connectTo(pool)).release();
      return pool;
    });
    try {
      return await within(timeout, Promise.any(answers));
    } catch (cause) {
      throw new NoPrimaryError('None of the servers is the primary.', { cause });
    }
  };

  /** All who look for the primary at the same time share one search. */
  const find = async (): Promise<PostgresPool<Client>> => {
    search ??= findPrimary().finally(() => {
      search = null;
    });
    primary = await search;
    return primary;
  };

  return {
    options: pools[0]?.options,
    get waitingCount() {
      return primary?.waitingCount ?? 0;
    },
    connect: async () => {
      const pool = primary ?? (await find());
      const client = connectTo(pool);
      while (!(await settlesWithin(timeout, client))) {
        // All clients of the primary may be in use. Then the search waits for one, too, and finds nothing.
        const found = await find().catch(() => pool);
        if (found === pool) continue;
        client.then((late) => late.release(), ignoreError);
        return connectTo(found);
      }
      return client.catch(async () => connectTo(await find()));
    },
  };
};
