import { setTimeout as wait } from 'node:timers/promises';
import type { Commit, StoreError } from '@clinical-records/core/store';
import { type Either, isLeft, isRight, left } from 'fp-ts/lib/Either.js';
import { type FileWatch, isOwnHandle, readBusyTimeout, type SqliteDatabase } from '../database.ts';
import type { HostTransactionGate } from '../host-transaction.ts';
import {
  attempt,
  committedToGoneFileError,
  hasWaited,
  isLocked,
  lockInterval,
  outcomeUnknownError,
  sqliteError,
} from '../store-errors.ts';
import type { CommitWriter } from './commit-writer.ts';

/** COMMIT failed and SQLite ended the transaction. A crash might restore it. */
export class InDoubtError extends Error {}

/**
 * Returns a function that begins a transaction that may write. It throws at once if another process writes, also on a
 * handle of the host, whose own statements keep the timeout of the handle.
 */
export const createBegin = (database: SqliteDatabase): (() => void) => {
  const begin = database.prepare('BEGIN IMMEDIATE');
  if (isOwnHandle(database)) return () => void begin.run();
  // SQLite sets the timeout while it compiles the statement.
  const setBusyTimeout = (milliseconds: number) =>
    database.prepare(`PRAGMA busy_timeout = ${milliseconds}`).get();
  return () => {
    const timeout = readBusyTimeout(database);
    setBusyTimeout(0);
    try {
      begin.run();
    } finally {
      setBusyTimeout(timeout);
    }
  };
};

/** Runs work in a write transaction. If it throws anything but `InDoubtError`, none of it is or will be written. */
export const createWriteTransaction = (database: SqliteDatabase): (<A>(work: () => A) => A) => {
  const begin = createBegin(database);
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  return (work) => {
    begin();
    try {
      const result = work();
      try {
        commit.run();
      } catch (cause) {
        if (!database.inTransaction) throw new InDoubtError('COMMIT failed.', { cause });
        throw cause;
      }
      return result;
    } catch (cause) {
      if (database.inTransaction) rollback.run();
      throw cause;
    }
  };
};

/**
 * Must run in a transaction after a COMMIT that failed. SQLite has rolled that back, but its last bytes may be in the
 * log, whose sync failed. After a crash, SQLite would read them. The next transaction overwrites them, and once it is
 * durable they are gone. Writing an unchanged value is enough.
 */
export const overwriteLogTail = (database: SqliteDatabase): void => {
  const { user_version } = database.prepare('PRAGMA user_version').get() as { user_version: number | bigint };
  database.prepare(`PRAGMA user_version = ${user_version}`).run();
};

export type CommitResult = Either<StoreError, readonly number[]>;

/** Finds out what became of commits whose COMMIT failed. */
export type CommitDoubt = {
  /** Must be called before a transaction. Throws if a commit before is still in doubt. */
  readonly settle: () => void;
  /** The results of commits whose COMMIT failed. */
  readonly resultsOf: (
    commits: readonly Commit[],
    results: readonly CommitResult[],
    cause: unknown,
  ) => readonly CommitResult[];
};

/** The same results, but with an error for each commit that was written. A commit with a conflict wrote nothing. */
const failWritten = (results: readonly CommitResult[], error: StoreError): readonly CommitResult[] =>
  results.map((result) => (isLeft(result) ? result : left(error)));

/** `isWritten` says whether a commit with these new versions is in the database. */
export const createCommitDoubt = (
  database: SqliteDatabase,
  isWritten: (commit: Commit, versions: readonly number[]) => boolean,
): CommitDoubt => {
  /** Whether a commit with an unknown outcome may be at the end of the log. */
  let isInDoubt = false;
  const transaction = createWriteTransaction(database);

  /**
   * Whether the changes of a transaction are written, although its COMMIT failed. Throws if that cannot be found out.
   */
  const settleOutcome = (commits: readonly Commit[], results: readonly CommitResult[]): boolean => {
    isInDoubt = true;
    const areWritten = transaction(() => {
      overwriteLogTail(database);
      return commits.every((commit, index) => {
        const result = results[index];
        return result === undefined || isLeft(result) || isWritten(commit, result.right);
      });
    });
    isInDoubt = false;
    return areWritten;
  };

  return {
    settle: () => {
      if (isInDoubt) settleOutcome([], []);
    },
    resultsOf: (commits, results, cause) => {
      try {
        return settleOutcome(commits, results) ? results : failWritten(results, sqliteError(cause));
      } catch {
        return failWritten(results, outcomeUnknownError(cause));
      }
    },
  };
};

/** The parts that all writers of commits use. */
export type CommitSettings = {
  readonly writer: CommitWriter;
  readonly doubt: CommitDoubt;
  readonly hostTransactions: HostTransactionGate;
  readonly fileWatch: FileWatch;
  readonly beforeCommit: () => void;
};

type PendingCommit = {
  readonly commit: Commit;
  /** When it was called, by `performance.now()`. */
  readonly since: number;
  readonly resolve: (result: CommitResult | Promise<CommitResult>) => void;
};

export type GroupCommit = {
  readonly commit: (commit: Commit) => Promise<CommitResult>;
  /** Writes a commit at once, as a part of the open transaction of the host. */
  readonly commitInTransaction: (commit: Commit) => CommitResult;
  /** Writes all waiting commits, or reports why not. */
  readonly close: () => Promise<void>;
};

/** For how many turns of the event loop commits wait for others, as long as each turn brings more. */
const furtherTurns = 3;

/** The error of a commit that could not be written, after only its own changes were undone. */
const errorFor = (
  commit: Commit,
  cause: unknown,
  findCommitConflict: CommitWriter['findCommitConflict'],
): CommitResult => {
  const conflict = attempt(() => findCommitConflict(commit));
  return left((isRight(conflict) ? conflict.right : null) ?? sqliteError(cause));
};

/**
 * Writes commits in one transaction. If it fails in a commit, each half of them gets a transaction of its own, until each of
 * the failing commits is in one by itself.
 */
const createWriteAll = (
  database: SqliteDatabase,
  {
    writer: { begin, write, findCommitConflict, forget },
    doubt,
    beforeCommit,
  }: Pick<CommitSettings, 'writer' | 'doubt' | 'beforeCommit'>,
) => {
  /**
   * Whether a commit is being written. A failure before or after that is a failure of the transaction, and so of all
   * its commits.
   */
  let isWriting = false;
  const transaction = createWriteTransaction(database);

  const writeAll = (commits: readonly Commit[]): readonly CommitResult[] => {
    isWriting = false;
    let results: readonly CommitResult[] = [];
    try {
      doubt.settle();
      beforeCommit();
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
      // If there are no results yet, an earlier commit is still in doubt.
      if (error instanceof InDoubtError && results.length > 0)
        return doubt.resultsOf(commits, results, cause);
      if (!isWriting) return commits.map(() => left(sqliteError(cause)));
      if (commits.length === 1) return commits.map((commit) => errorFor(commit, cause, findCommitConflict));
      const half = Math.ceil(commits.length / 2);
      return [...writeAll(commits.slice(0, half)), ...writeAll(commits.slice(half))];
    }
  };

  return writeAll;
};

const savepoint = 'clinical_records_commit';

/** Returns a function that writes within the open transaction, all or nothing. */
const createSavepoint = <A, B>(database: SqliteDatabase, write: (argument: A) => B): ((argument: A) => B) => {
  const run = (sql: string) => database.prepare(sql).run();
  return (argument) => {
    run(`SAVEPOINT ${savepoint}`);
    try {
      return write(argument);
    } catch (cause) {
      // Some failures roll back the whole transaction.
      if (database.inTransaction) run(`ROLLBACK TO ${savepoint}`);
      throw cause;
    } finally {
      if (database.inTransaction) run(`RELEASE ${savepoint}`);
    }
  };
};

/** Writes a commit at once, as a part of the open transaction of the host. */
const createCommitInTransaction = (
  database: SqliteDatabase,
  { begin, write, findCommitConflict, forget }: CommitWriter,
) => {
  const writeInSavepoint = createSavepoint(database, (commit: Commit) => {
    begin();
    return write(commit);
  });

  return (commit: Commit): CommitResult => {
    try {
      return writeInSavepoint(commit);
    } catch (cause) {
      // Some failures roll back the whole transaction of the host. Then there is nothing left to compare with.
      return database.inTransaction ? errorFor(commit, cause, findCommitConflict) : left(sqliteError(cause));
    } finally {
      // It is not known whether the host will commit.
      forget();
    }
  };
};

/**
 * Writes the commits of one turn of the event loop in one transaction, because the sync to disk is the main cost. If there are
 * several, those of the next turns are in it, too; one by itself does not wait for others. Each commit returns once all are
 * durable. If a commit cannot be written, or a record that should be new exists, everything is undone. Each half of the
 * commits then gets a transaction of its own, until each of the failing commits is in one by itself. Any other conflict
 * writes nothing, and the transaction continues with the other commits.
 *
 * Commits wait while the host has a transaction open, because they must not be rolled back with it. They also wait for the
 * lock of another process, while this one does other work.
 */
export const createGroupCommit = (database: SqliteDatabase, settings: CommitSettings): GroupCommit => {
  const { hostTransactions, fileWatch } = settings;
  const writeAll = createWriteAll(database, settings);
  let waiting: PendingCommit[] = [];

  const enqueue = (commit: Commit) =>
    new Promise<CommitResult>((resolve) => {
      if (waiting.length === 0) gather(1, furtherTurns);
      waiting.push({ commit, since: performance.now(), resolve });
    });

  /** Writes what waits at the end of the turn, or of a later one if this one has brought more than was known. */
  const gather = (known: number, turns: number): void => {
    setImmediate(() => {
      if (waiting.length > known && turns > 0) gather(waiting.length, turns - 1);
      else flush();
    });
  };

  const flush = (): void => {
    const batch = waiting;
    if (batch.length === 0) return;
    waiting = [];
    if (database.inTransaction) {
      for (const { commit, resolve } of batch) resolve(hostTransactions.runOutside(() => enqueue(commit)));
      return;
    }
    const written = writeAll(batch.map(({ commit }) => commit));
    // A successful result promises that the next process finds the changes.
    const results = fileWatch.isInPlace() ? written : failWritten(written, committedToGoneFileError);
    for (const [index, pending] of batch.entries()) {
      const result = results[index] as CommitResult;
      if (isLocked(result) && !hasWaited(database, pending.since)) waiting.push(pending);
      else pending.resolve(result);
    }
    if (waiting.length > 0) setTimeout(flush, lockInterval);
  };

  return {
    commit: (commit) =>
      database.inTransaction ? hostTransactions.runOutside(() => enqueue(commit)) : enqueue(commit),
    commitInTransaction: createCommitInTransaction(database, settings.writer),
    close: async () => {
      flush();
      while (waiting.length > 0) await wait(lockInterval);
    },
  };
};
