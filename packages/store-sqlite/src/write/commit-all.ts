import {
  type ClinicalStore,
  type Commit,
  HostStatementError,
  type HostWrite,
  misuseError,
  RefusedCommitError,
  type StoreError,
  type StoreOutcome,
} from '@clinical-records/core/store';
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase, SqliteHandle } from '../database.ts';
import {
  attempt,
  committedToGoneFileError,
  endedByHostError,
  outcomeUnknownError,
  sqliteError,
  waitForLock,
} from '../store-errors.ts';
import {
  type CommitResult,
  type CommitSettings,
  createWriteTransaction,
  InDoubtError,
} from './group-commit.ts';

const asynchronousWriteError = misuseError(
  'A write of the host has returned a promise. On SQLite it must be synchronous, because the transaction is open for one turn only. End a query of Drizzle with run(). Begin a longer transaction with inTransaction.',
);

/** Whether a value is a promise, or a query of a tool that runs once it is awaited. */
const isThenable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** The statements of the host have ended the transaction, or SQLite has rolled it back during one of them. */
class EndedByHostError extends Error {}

type CommitsResult = Either<StoreError, readonly (readonly number[])[]>;

/** Runs statements of the host. If they have ended the transaction, its savepoint is gone, whatever they have begun since. */
const createHostWrites = (database: SqliteDatabase, connection: SqliteHandle) => {
  const savepoint = database.prepare('SAVEPOINT clinical_records');
  const release = database.prepare('RELEASE clinical_records');
  return (writes: readonly HostWrite<SqliteHandle>[]): void => {
    savepoint.run();
    try {
      for (const write of writes) {
        const returned = write(connection);
        if (returned instanceof Promise) returned.catch(() => {});
        if (isThenable(returned)) throw new RefusedCommitError(asynchronousWriteError);
      }
    } catch (cause) {
      if (!database.inTransaction) throw new EndedByHostError('It was ended.', { cause });
      throw cause instanceof RefusedCommitError ? cause : new HostStatementError(cause);
    }
    const released = attempt(() => release.run());
    if (isLeft(released)) throw new EndedByHostError('It was ended.');
  };
};

/**
 * Writes several commits and the statements of the host in one transaction, which is open for one turn only. Rejects with the
 * reason of a statement that fails.
 */
export const createCommitAll = (
  database: SqliteDatabase,
  {
    writer: { begin, write, findCommitConflict, forget },
    doubt,
    hostTransactions,
    fileWatch,
    beforeCommit,
    connection,
  }: CommitSettings & {
    /** The handle, as the host has it. */
    readonly connection: SqliteHandle;
  },
): ClinicalStore<SqliteHandle>['commitAll'] => {
  const transaction = createWriteTransaction(database);
  const runWrites = createHostWrites(database, connection);

  const writeTogether = (
    commits: readonly Commit[],
    writes: readonly HostWrite<SqliteHandle>[],
  ): CommitsResult => {
    const results: CommitResult[] = [];
    const versions: (readonly number[])[] = [];
    let hasBegun = false;
    try {
      doubt.settle();
      beforeCommit();
      transaction(() => {
        hasBegun = true;
        begin();
        for (const commit of commits) {
          const conflict = findCommitConflict(commit);
          const result = conflict === null ? write(commit) : left(conflict);
          if (isLeft(result)) throw new RefusedCommitError(result.left);
          results.push(result);
          versions.push(result.right);
        }
        runWrites(writes);
      });
      return fileWatch.isInPlace() ? right(versions) : left(committedToGoneFileError);
    } catch (error) {
      forget();
      if (error instanceof HostStatementError) throw error.cause;
      if (error instanceof RefusedCommitError) return left(error.error);
      if (error instanceof EndedByHostError) return left(endedByHostError(error.cause));
      if (!(error instanceof InDoubtError)) return left(sqliteError(error));
      // Otherwise an earlier commit is still in doubt.
      if (!hasBegun) return left(sqliteError(error.cause));
      // Without changes, nothing shows whether the statements of the host were committed.
      if (commits.every(({ changes }) => changes.length === 0)) return left(outcomeUnknownError(error.cause));
      const failure = doubt.resultsOf(commits, results, error.cause).find(isLeft);
      return failure ?? right(versions);
    }
  };

  return (commits, writes) => {
    const run = (): StoreOutcome<readonly (readonly number[])[]> =>
      database.inTransaction
        ? hostTransactions.runOutside(run)
        : waitForLock(database, () => writeTogether(commits, writes));
    return run();
  };
};
