import type { Commit, StoreError } from '@clinical-records/core';
import { type Either, isLeft, isRight, left } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import type { FileWatch } from '../file-watch.ts';
import type { HostTransactionGate } from '../host-transaction.ts';
import { attempt, committedToGoneFileError, outcomeUnknownError, sqliteError } from '../store-errors.ts';
import type { CommitWriter } from './commit-writer.ts';
import { createWriteTransaction, InDoubtError, overwriteLogTail } from './write-transaction.ts';

type CommitResult = Either<StoreError, readonly number[]>;
type PendingCommit = {
  readonly commit: Commit;
  readonly resolve: (answer: CommitResult | Promise<CommitResult>) => void;
};

export type GroupCommit = {
  readonly commit: (commit: Commit) => Promise<CommitResult>;
  /** Writes a commit at once, as a part of the transaction that the host has open. */
  readonly commitInTransaction: (commit: Commit) => CommitResult;
  /** Writes what is waiting, now. */
  readonly flush: () => void;
};

type GroupCommitSettings = {
  readonly writer: CommitWriter;
  readonly hostTransactions: HostTransactionGate;
  readonly fileWatch: FileWatch;
  readonly onCommit: () => void;
  /** Whether a commit is there whose new versions are these. */
  readonly isWritten: (commit: Commit, versions: readonly number[]) => boolean;
};

/** The same answers, but for commits that were written, an error. What has conflicted wrote nothing. */
const failWritten = (results: readonly CommitResult[], error: StoreError): readonly CommitResult[] =>
  results.map((result) => (isLeft(result) ? result : left(error)));

/**
 * Writes the commits of one turn of the event loop in one transaction, since what costs is the sync to disk.
 * Each is answered once all are durable. If one cannot be written, or a record that it wants to be the first to write is
 * there already, all is undone, and each half of the commits gets a transaction of its own, until that one is alone. Any
 * other conflict writes nothing, and leaves the transaction to the others.
 *
 * While the host has a transaction open, commits wait: they must not be undone with it.
 */
export const createGroupCommit = (
  database: SqliteDatabase,
  {
    writer: { begin, write, findCommitConflict, forget },
    hostTransactions,
    fileWatch,
    onCommit,
    isWritten,
  }: GroupCommitSettings,
): GroupCommit => {
  let waiting: PendingCommit[] = [];
  /** Whether a commit is being written. What fails before or after that is the transaction itself, and it fails for all. */
  let isWriting = false;
  /** Whether a commit whose outcome is unknown may be at the end of the log. */
  let isInDoubt = false;

  const transaction = createWriteTransaction(database);

  /** Why a commit could not be written, once what it had written, and nothing else, was undone. */
  const errorFor = (commit: Commit, cause: unknown): CommitResult => {
    const conflict = attempt(() => findCommitConflict(commit));
    return left((isRight(conflict) ? conflict.right : null) ?? sqliteError(cause));
  };

  /** Whether what was written in a transaction is there, though its COMMIT failed; throws where that cannot be found out. */
  const settleOutcome = (commits: readonly Commit[], results: readonly CommitResult[]): boolean => {
    isInDoubt = true;
    const areWritten = transaction(() => {
      overwriteLogTail(database);
      return commits.every((commit, at) => {
        const answer = results[at];
        return answer === undefined || isLeft(answer) || isWritten(commit, answer.right);
      });
    });
    isInDoubt = false;
    return areWritten;
  };

  /** The answers to commits whose COMMIT failed. */
  const resultsInDoubt = (
    commits: readonly Commit[],
    results: readonly CommitResult[],
    cause: unknown,
  ): readonly CommitResult[] => {
    try {
      return settleOutcome(commits, results) ? results : failWritten(results, sqliteError(cause));
    } catch {
      return failWritten(results, outcomeUnknownError(cause));
    }
  };

  const writeAll = (commits: readonly Commit[]): readonly CommitResult[] => {
    isWriting = false;
    let results: readonly CommitResult[] = [];
    try {
      if (isInDoubt) settleOutcome([], []);
      transaction(() => {
        begin();
        isWriting = true;
        results = commits.map(write);
        isWriting = false;
      });
      return results;
    } catch (error) {
      forget();
      const cause = error instanceof InDoubtError ? error.cause : error;
      // Where there is no answer yet, it is an earlier commit that is still in doubt.
      if (error instanceof InDoubtError && results.length > 0) return resultsInDoubt(commits, results, cause);
      if (!isWriting) return commits.map(() => left(sqliteError(cause)));
      if (commits.length === 1) return commits.map((commit) => errorFor(commit, cause));
      const half = Math.ceil(commits.length / 2);
      return [...writeAll(commits.slice(0, half)), ...writeAll(commits.slice(half))];
    }
  };

  // Within a transaction, better-sqlite3 makes this a savepoint.
  const writeInSavepoint = database.transaction((commit: Commit) => {
    begin();
    return write(commit);
  });

  const commitInTransaction = (commit: Commit): CommitResult => {
    try {
      return writeInSavepoint(commit);
    } catch (cause) {
      // Some failures undo the whole transaction of the host: then there is nothing left to compare with.
      return database.inTransaction ? errorFor(commit, cause) : left(sqliteError(cause));
    } finally {
      // Nobody says whether the host will commit.
      forget();
    }
  };

  const enqueue = (commit: Commit) =>
    new Promise<CommitResult>((resolve) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ commit, resolve });
    });

  const flush = (): void => {
    const batch = waiting;
    if (batch.length === 0) return;
    waiting = [];
    if (database.inTransaction) {
      for (const { commit, resolve } of batch) resolve(hostTransactions.runOutside(() => enqueue(commit)));
      return;
    }
    const written = writeAll(batch.map(({ commit }) => commit));
    onCommit();
    // An answer is a promise that the next process finds what was written.
    const results = fileWatch.isInPlace() ? written : failWritten(written, committedToGoneFileError);
    for (const [at, answer] of results.entries()) batch[at]?.resolve(answer);
  };

  return {
    commit: (commit) =>
      database.inTransaction ? hostTransactions.runOutside(() => enqueue(commit)) : enqueue(commit),
    commitInTransaction,
    flush,
  };
};
