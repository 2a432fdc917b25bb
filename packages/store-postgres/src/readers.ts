import { isCanceled, isNotPrepared } from './postgres-errors.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { createFreshRead, createLastSeen, type Freshness } from './replicas/freshness.ts';
import { createOpenTransactions } from './replicas/open-transactions.ts';
import { createReplica, type Replica } from './replicas/replica.ts';
import { type QueryBuilder, runStatement, type Statement, settingsOf } from './statement.ts';
import { createTenantReader } from './tables/find-tenant.ts';
import { runTransaction, type TransactionSettings } from './transaction.ts';
import { createExclusiveClient, sharedClientOf, type UseClient } from './use-client.ts';

/** Runs statements that only read, each at one moment. */
export type Reader = <Args, Row>(statement: Statement<Args, Row>, args: Args) => Promise<readonly Row[]>;

/** The readers of a store, for the different kinds of reads. Each shows all that the store has written or shown before. */
type Readers = {
  readonly primary: Reader;
  readonly any: Reader;
  /** Reads any server, for a search that may look at many records. */
  readonly broad: Reader;
  /** Must be called after each write. */
  readonly noteWrite: () => void;
  /** Must be called after each write in a transaction of the host, which may end at any time, with the id of the transaction. */
  readonly noteTransaction: (id: string) => void;
};

/** The time in milliseconds after which PostgreSQL gives up a broad search. */
const broadLimits = { statement_timeout: 10_000 };

/** Does work that only reads again if a statement in it was not prepared, because of another one. */
const retryUnprepared = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await work();
  } catch (cause) {
    if (isNotPrepared(cause)) return work();
    throw cause;
  }
};

const createReader =
  (use: UseClient, builder: QueryBuilder): Reader =>
  (statement, args) =>
    retryUnprepared(() => use((client) => runStatement(builder, client, statement, args)));

/** Creates a reader that reads in a transaction with its own settings. */
const createTransactionReader =
  (use: UseClient, { tenant }: QueryBuilder, settings: TransactionSettings): Reader =>
  async <Args, Row>(statement: Statement<Args, Row>, args: Args) => {
    const [rows = []] = await use((client) =>
      runTransaction(client, [statement.bind(args)], { ...settings, ...settingsOf(tenant) }),
    );
    return rows as readonly Row[];
  };

/**
 * Creates readers on a primary and its replicas. A replica is read once it shows all that the store has seen.
 * Otherwise the primary is read, so that nobody waits for a replica.
 *
 * Decisions read the primary, and their searches see at least as much. So a decision that is made again after a conflict
 * sees what it conflicted with.
 */
const createReplicaReaders = (
  pool: PostgresPool,
  replicaPools: readonly PostgresPool[],
  builder: QueryBuilder,
): Readers => {
  const useShared = sharedClientOf(pool);
  const lastSeen = createLastSeen();
  const freshRead = createFreshRead(builder);
  const replicas = replicaPools.map((replicaPool) => createReplica(replicaPool, freshRead));
  let turn = 0;

  /** The replicas that are fresh enough, in turn. The others are asked how fresh they are. */
  const nextReplica = (least: Freshness): Replica | undefined => {
    const ready = replicas.filter(({ isAsFresh }) => isAsFresh(least));
    turn += 1;
    return ready[turn % ready.length];
  };

  const createPrimaryReader =
    (use: UseClient, settings: TransactionSettings | null): Reader =>
    async (statement, args) => {
      const end = lastSeen.begin();
      const { rows, shown } = await retryUnprepared(() =>
        use((client) => freshRead.readRows(client, statement, args, { least: null, settings })),
      );
      end(shown);
      return rows;
    };

  const hostTransactions = createOpenTransactions(useShared, lastSeen.forget);

  const createAnyReader =
    (primary: Reader, settings: TransactionSettings | null): Reader =>
    async (statement, args) => {
      const least = hostTransactions.haveEnded() ? lastSeen.least() : null;
      const replica = least === null ? undefined : nextReplica(least);
      if (least === null || replica === undefined) return primary(statement, args);
      const end = lastSeen.begin();
      try {
        const result = await replica.read(statement, args, { least, settings });
        end(result.shown);
        return result.rows;
      } catch (cause) {
        if (isCanceled(cause)) throw cause;
        return primary(statement, args);
      }
    };

  const primary = createPrimaryReader(useShared, null);
  const broad = createPrimaryReader(createExclusiveClient(pool), broadLimits);
  return {
    primary,
    any: createAnyReader(primary, null),
    broad: createAnyReader(broad, broadLimits),
    noteWrite: lastSeen.forget,
    noteTransaction: hostTransactions.add,
  };
};

const createPrimaryReaders = (pool: PostgresPool, builder: QueryBuilder): Readers => {
  const reader = createReader(sharedClientOf(pool), builder);
  return {
    primary: reader,
    any: reader,
    broad: createTransactionReader(createExclusiveClient(pool), builder, broadLimits),
    noteWrite: () => {},
    noteTransaction: () => {},
  };
};

/** Creates the readers. They read once `prepare` has resolved, so that not each of many reads in a query waits for that. */
export const createReaders = (
  pool: PostgresPool,
  replicas: readonly PostgresPool[],
  builder: QueryBuilder,
  prepare: () => Promise<void>,
): Readers => {
  const { primary, any, broad, ...notes } =
    replicas.length > 0 ? createReplicaReaders(pool, replicas, builder) : createPrimaryReaders(pool, builder);
  const prepared = (reader: Reader): Reader => {
    const readTenant = createTenantReader(builder, reader);
    return async (statement, args) => {
      await prepare();
      return readTenant(statement, args);
    };
  };
  return { primary: prepared(primary), any: prepared(any), broad: prepared(broad), ...notes };
};
