import type { StoreError } from '@clinical-records/core/store';
import type { Either } from 'fp-ts/lib/Either.js';
import type { PostgresClient, PostgresQuery } from '../postgres-pool.ts';

/** A transaction of the host, while its work runs. */
export type OpenTransaction = {
  readonly client: PostgresClient;
  /** The id that PostgreSQL has given it. */
  readonly id: string;
  /** How many milliseconds a commit may wait for other transactions. */
  readonly transactionTimeout: number;
  /** Does work on the client after all work before it, or returns an error if the transaction is over. */
  readonly inTurn: <A>(work: () => Promise<Either<StoreError, A>>) => Promise<Either<StoreError, A>>;
  /** Adds queries that run at the end, before COMMIT, once for each key and in the order of the keys. */
  readonly atEnd: (key: string, queries: readonly PostgresQuery[]) => void;
  /** Adds a function that is called when the transaction is over, committed or not. */
  readonly onEnd: (listener: () => void) => void;
};
