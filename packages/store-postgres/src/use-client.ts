import { ignoreError, isSilence, isUnusable, NoConnectionError } from './postgres-errors.ts';
import type { PostgresClient, PostgresPool } from './postgres-pool.ts';
import { LateError, within } from './within.ts';

/** Returns the client to its pool if it comes after all. */
const returnLate = (late: Promise<PostgresClient>): void => {
  late.then((client) => client.release(), ignoreError);
};

/** Whether a client was returned to its pool within a transaction, which would not be ours to commit. */
const isInTransaction = (client: PostgresClient): boolean =>
  ['T', 'E'].includes(client.getTransactionStatus?.() ?? 'I');

/** The pools whose clients have a listener for their errors from the beginning. */
const guardedPools = new WeakSet<PostgresPool>();

/**
 * Connects a client of a pool. A connection may be lost in the packet that completes it, before its pool returns the client. Without
 * a listener, that would end the process. Every query on the client fails with the reason.
 */
export const connectClient = <Client extends PostgresClient>(pool: PostgresPool<Client>): Promise<Client> => {
  if (!guardedPools.has(pool)) pool.on?.('connect', (client) => client.on('error', ignoreError));
  guardedPools.add(pool);
  return pool.connect();
};

/**
 * Closes the clients of a pool that nobody uses. If a server has fallen silent, so have they, and each would be waited for. Behind a
 * proxy, they may stay connected to it, while new ones reach another server.
 */
export const closeIdle = (pool: PostgresPool): void => {
  for (let idle = pool.idleCount ?? 0; idle > 0; idle -= 1)
    connectClient(pool).then((client) => client.release(true), ignoreError);
};

/** With a limit, a client is waited for so many milliseconds. */
const borrowClient = async (pool: PostgresPool, limit?: number): Promise<PostgresClient> => {
  const connected = connectClient(pool);
  const client = await (limit === undefined ? connected : within(limit, connected)).catch(
    (cause: unknown) => {
      if (cause instanceof LateError) returnLate(connected);
      throw new NoConnectionError('The pool has given no client.', { cause });
    },
  );
  if (isInTransaction(client)) {
    client.release(true);
    return borrowClient(pool, limit);
  }
  // A pool that the host has wrapped may not report its new clients.
  client.on('error', ignoreError);
  return client;
};

const returnClient = (client: PostgresClient, isBroken: boolean): void => {
  client.removeListener('error', ignoreError);
  client.release(isBroken);
};

/** Does work on a client of the pool. With a limit, it waits for the client so many milliseconds. */
export type UseClient = <A>(work: (client: PostgresClient) => Promise<A>, limit?: number) => Promise<A>;

/** Does work on a client that nobody else uses. It is closed if its connection was lost. */
export const createExclusiveClient =
  (pool: PostgresPool): UseClient =>
  async (work, limit) => {
    const client = await borrowClient(pool, limit);
    let isBroken = false;
    try {
      return await work(client);
    } catch (cause) {
      isBroken = isUnusable(cause);
      if (isSilence(cause)) closeIdle(pool);
      throw cause;
    } finally {
      returnClient(client, isBroken);
    }
  };

type Lease = {
  readonly client: Promise<PostgresClient>;
  isReady: boolean;
  isBroken: boolean;
  users: number;
};

/**
 * Does work on one client at the same time as other work, so that their queries share a pipeline.
 *
 * The client is returned once nobody uses it. Nobody else begins to use it while others wait for the pool, so that
 * they get their turn.
 */
const createSharedClient = (pool: PostgresPool): UseClient => {
  let current: Lease | null = null;

  const begin = (): Lease => {
    const lease: Lease = { client: borrowClient(pool), isReady: false, isBroken: false, users: 0 };
    lease.client.then(
      () => {
        lease.isReady = true;
      },
      () => {
        lease.isBroken = true;
      },
    );
    return lease;
  };

  const mayJoin = (lease: Lease): boolean => !lease.isBroken && !(lease.isReady && pool.waitingCount > 0);

  const end = (lease: Lease): void => {
    lease.users -= 1;
    if (lease.users > 0) return;
    if (current === lease) current = null;
    if (lease.isReady) void lease.client.then((client) => returnClient(client, lease.isBroken));
  };

  return async (work) => {
    const lease = current !== null && mayJoin(current) ? current : begin();
    current = lease;
    lease.users += 1;
    try {
      return await work(await lease.client);
    } catch (cause) {
      if (isUnusable(cause)) lease.isBroken = true;
      if (isSilence(cause)) closeIdle(pool);
      throw cause;
    } finally {
      end(lease);
    }
  };
};

/** Creates something for each pool. All stores on a pool share it, such as those of its tenants. */
export const createPerPool = <A>(create: (pool: PostgresPool) => A): ((pool: PostgresPool) => A) => {
  const created = new WeakMap<PostgresPool, A>();
  return (pool) => {
    const existing = created.get(pool) ?? create(pool);
    created.set(pool, existing);
    return existing;
  };
};

/** The client that the reads of all stores on a pool share. */
export const sharedClientOf = createPerPool(createSharedClient);
