import {
  type ClinicalStore,
  type Commit,
  HostStatementError,
  type HostWrite,
  RefusedCommitError,
  type StoreError,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { isTransient, postgresError, staysLockedError, TransactionError } from '../postgres-errors.ts';
import type { HostClient } from '../postgres-pool.ts';
import type { QueryBuilder } from '../statement.ts';
import type { UseClient } from '../use-client.ts';
import { checkChanges, prepareCommit } from '../write/prepared-commit.ts';
import { runInTransaction } from './in-transaction.ts';
import { createWriteCalls, type WriteCall } from './joined-commit.ts';
import type { OpenTransaction } from './open-transaction.ts';

type Work = {
  readonly commits: readonly Commit[];
  readonly writes: readonly HostWrite<HostClient>[];
};

type Versions = readonly (readonly number[])[];

/** The error of a commit that cannot be written. */
const refusalOf = (cause: unknown): RefusedCommitError =>
  new RefusedCommitError(isTransient(cause) ? staysLockedError(cause) : postgresError(cause));

/** The versions that a call has written. Throws if it has written none. */
const versionsOf = ({ resultOf }: WriteCall, rows: readonly unknown[], transaction: OpenTransaction) => {
  let result: ReturnType<WriteCall['resultOf']>;
  try {
    result = resultOf(rows, transaction);
  } catch (cause) {
    throw refusalOf(cause);
  }
  if (!('_tag' in result)) throw new Error('A version was expected of each record.');
  if (result._tag === 'Left') throw new RefusedCommitError(result.left);
  return result.right;
};

/** Whether one call of the function writes a commit, which says what version it expects of each record. */
const isOneCall = ({ changes, reindexing }: Commit): boolean =>
  reindexing === undefined &&
  changes.every(({ expects, priorStates }) => expects._tag !== 'Any' && priorStates === undefined);

/** Writes commits one after the other on a store that is part of a transaction. */
const writeEach = async (store: ClinicalStore, commits: readonly Commit[]): Promise<Versions> => {
  const versions: (readonly number[])[] = [];
  for (const commit of commits) {
    const written = await store.commit(commit);
    if (written._tag === 'Left') throw new RefusedCommitError(written.left);
    versions.push(written.right);
  }
  return versions;
};

const runWrites = async (client: HostClient, writes: Work['writes']): Promise<void> => {
  try {
    for (const write of writes) await write(client);
  } catch (cause) {
    throw new HostStatementError(cause);
  }
};

/**
 * Writes commits and the statements of the host in a transaction on a client of the pool. The commits are sent with its begin, as far
 * as the client sends queries before earlier ones are answered. Rejects with the reason of a statement that fails.
 */
export const createCommitAll = (use: UseClient, builder: QueryBuilder, transactionTimeout: number) => {
  const callFor = createWriteCalls(builder);
  const callsOf = (commits: readonly Commit[]): readonly WriteCall[] =>
    builder.tenant.isDistributed || !commits.every(isOneCall)
      ? []
      : commits.map((commit) =>
          callFor(prepareCommit(commit), new Map(), { transaction: null, wait: transactionTimeout }),
        );
  /** An error of the work leaves the client as it was. */
  const isOfWork = (cause: unknown): cause is RefusedCommitError | HostStatementError =>
    cause instanceof RefusedCommitError || cause instanceof HostStatementError;

  return async (store: ClinicalStore, { commits, writes }: Work): Promise<Either<StoreError, Versions>> => {
    const error = commits.map(checkChanges).find((found) => found !== null);
    if (error != null) return left(error);
    const calls = callsOf(commits);
    const run = (client: HostClient) =>
      runInTransaction(
        client,
        async (tx, firstRows, transaction) => {
          const versions =
            calls.length > 0
              ? calls.map((call, at) => versionsOf(call, firstRows[at] ?? [], transaction))
              : await writeEach(tx.join(store), commits);
          await runWrites(client, writes);
          return versions;
        },
        { transactionTimeout, first: calls.map(({ query }) => query) },
      ).then(right, (cause: unknown) => {
        if (isOfWork(cause)) return left(cause);
        throw cause;
      });
    const ended = await use((client) => run(client as HostClient)).catch((cause: unknown) =>
      left(cause instanceof TransactionError ? cause : new RefusedCommitError(postgresError(cause))),
    );
    if (ended._tag === 'Right') return ended;
    const cause = ended.left;
    if (cause instanceof HostStatementError) throw cause.cause;
    return left(cause instanceof TransactionError ? cause.storeError : cause.error);
  };
};
