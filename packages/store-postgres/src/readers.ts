import type { PostgresPool } from './postgres-pool.ts';
import type { QueryBuilder } from './query-builder.ts';
import { createReader, createTransactionReader, type Reader } from './reader.ts';
import { createReplicaReaders } from './replicas/replica-readers.ts';
import { createExclusiveClient, createSharedClient } from './use-client.ts';

/** The time in milliseconds after which PostgreSQL gives up a broad search. */
const broadLimits = { statement_timeout: 10_000 };

/** The readers of a store, for the different kinds of reads. Each shows all that the store has written or shown before. */
export type Readers = {
  /** Reads the primary. */
  readonly primary: Reader;
  /** Reads any server. */
  readonly any: Reader;
  /** Reads any server, for a search that may look at many records. */
  readonly broad: Reader;
  /** Must be called after each write. */
  readonly noteWrite: () => void;
};

const createPrimaryReaders = (pool: PostgresPool): Readers => {
  const reader = createReader(createSharedClient(pool));
  return {
    primary: reader,
    any: reader,
    broad: createTransactionReader(createExclusiveClient(pool), broadLimits),
    noteWrite: () => {},
  };
};

/** Creates the readers. They read once `prepare` has resolved, so that not each of many reads in a query waits for that. */
export const createReaders = (
  pool: PostgresPool,
  replicas: readonly PostgresPool[],
  builder: QueryBuilder,
  prepare: () => Promise<void>,
): Readers => {
  const { primary, any, broad, noteWrite } =
    replicas.length > 0
      ? createReplicaReaders(pool, replicas, builder, broadLimits)
      : createPrimaryReaders(pool);
  const prepared =
    (reader: Reader): Reader =>
    async (statement, args) => {
      await prepare();
      return reader(statement, args);
    };
  return { primary: prepared(primary), any: prepared(any), broad: prepared(broad), noteWrite };
};
