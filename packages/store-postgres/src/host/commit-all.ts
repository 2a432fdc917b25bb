import {
  type ClinicalStore,
  type Commit,
  HostStatementError,
  type HostWrite,
  RefusedCommitError,
  type StoreError,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { postgresError, TransactionError } from '../postgres-errors.ts';
import type { HostClient } from '../postgres-pool.ts';
import type { UseClient } from '../use-client.ts';
import { inTransaction } from './in-transaction.ts';

type Work = {
  readonly commits: readonly Commit[];
  readonly writes: readonly HostWrite<HostClient>[];
};

/** Writes commits on a store that is part of a transaction, and then the statements of the host. */
const writeAll = async (
  store: ClinicalStore,
  client: HostClient,
  { commits, writes }: Work,
): Promise<readonly (readonly number[])[]> => {
  const versions: (readonly number[])[] = [];
  for (const commit of commits) {
    const written = await store.commit(commit);
    if (written._tag === 'Left') throw new RefusedCommitError(written.left);
    versions.push(written.right);
  }
  try {
    for (const write of writes) await write(client);
  } catch (cause) {
    throw new HostStatementError(cause);
  }
  return versions;
};

/**
 * Writes commits and the statements of the host in a transaction on a client of the pool. Rejects with the reason of a
 * statement that fails.
 */
export const createCommitAll =
  (use: UseClient, transactionTimeout: number) =>
  async (store: ClinicalStore, work: Work): Promise<Either<StoreError, readonly (readonly number[])[]>> => {
    const isOfWork = (cause: unknown) =>
      cause instanceof RefusedCommitError || cause instanceof HostStatementError;
    /** An error of the work leaves the client as it was. */
    const run = (client: HostClient) =>
      inTransaction(client, (tx) => writeAll(tx.join(store), client, work), { transactionTimeout }).then(
        right,
        (cause: unknown) => {
          if (isOfWork(cause)) return left(cause);
          throw cause;
        },
      );
    const ended = await use((client) => run(client as HostClient)).catch((cause: unknown) =>
      left(cause instanceof TransactionError ? cause : new RefusedCommitError(postgresError(cause))),
    );
    if (ended._tag === 'Right') return ended;
    const cause: unknown = ended.left;
    if (cause instanceof HostStatementError) throw cause.cause;
    return left(cause instanceof TransactionError ? cause.storeError : (cause as RefusedCommitError).error);
  };
