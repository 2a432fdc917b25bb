import type { Commit, StoreError } from '@clinical-records/core';
import { type Either, isLeft, isRight, left } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import type { FileWatch } from '../file-watch.ts';
import type { Outside } from '../host-transaction.ts';
import { attempt, committedToGoneFile, outcomeUnknown, unavailable } from '../unavailable.ts';
import type { CommitWriter } from './write-commit.ts';
import { InDoubt, overwriteLog, writeTransaction } from './write-transaction.ts';

type Answer = Either<StoreError, readonly number[]>;
type Waiting = { readonly commit: Commit; readonly answer: (answer: Answer | Promise<Answer>) => void };

export type GroupCommit = {
  readonly commit: (commit: Commit) => Promise<Answer>;
  /** Writes a commit at once, as a part of the transaction that the host has open. */
  readonly commitInside: (commit: Commit) => Answer;
  /** Writes what is waiting, now. */
  readonly flush: () => void;
};

type Settings = {
  readonly writer: CommitWriter;
  readonly outside: Outside;
  readonly file: FileWatch;
  readonly committed: () => void;
  /** Whether a commit is there whose new versions are these. */
  readonly isThere: (commit: Commit, versions: readonly number[]) => boolean;
};

/** The same answers, but for commits that were written, an error. What has conflicted wrote nothing. */
const exceptWritten = (answers: readonly Answer[], error: StoreError): readonly Answer[] =>
  answers.map((answer) => (isLeft(answer) ? answer : left(error)));

/**
 * Writes the commits of one turn of the event loop in one transaction, since what costs is the sync to disk.
 * Each is answered once all are durable. If one cannot be written, or a record that it wants to be the first to write is
 * there already, all is undone, and each half of the commits gets a transaction of its own, until that one is alone. Any
 * other conflict writes nothing, and leaves the transaction to the others.
 *
 * While the host has a transaction open, commits wait: they must not be undone with it.
 */
export const groupCommit = (
  database: SqliteDatabase,
  { writer: { begin, write, conflictIn, forget }, outside, file, committed, isThere }: Settings,
): GroupCommit => {
  let waiting: Waiting[] = [];
  /** Whether a commit is being written. What fails before or after that is the transaction itself, and it fails for all. */
  let isWriting = false;
  /** Whether a commit whose outcome is unknown may be at the end of the log. */
  let isInDoubt = false;

  const transaction = writeTransaction(database);

  /** Why a commit could not be written, once what it had written, and nothing else, was undone. */
  const refusalOf = (commit: Commit, cause: unknown): Answer => {
    const conflict = attempt(() => conflictIn(commit));
    return left((isRight(conflict) ? conflict.right : null) ?? unavailable(cause));
  };

  /** Whether what was written in a transaction is there, though its COMMIT failed; throws where that cannot be found out. */
  const settle = (commits: readonly Commit[], answers: readonly Answer[]): boolean => {
    isInDoubt = true;
    const areThere = transaction(() => {
      overwriteLog(database);
      return commits.every((commit, at) => {
        const answer = answers[at];
        return answer === undefined || isLeft(answer) || isThere(commit, answer.right);
      });
    });
    isInDoubt = false;
    return areThere;
  };

  /** The answers to commits whose COMMIT failed. */
  const answersInDoubt = (
    commits: readonly Commit[],
    answers: readonly Answer[],
    cause: unknown,
  ): readonly Answer[] => {
    try {
      return settle(commits, answers) ? answers : exceptWritten(answers, unavailable(cause));
    } catch {
      return exceptWritten(answers, outcomeUnknown(cause));
    }
  };

  const writeAll = (commits: readonly Commit[]): readonly Answer[] => {
    isWriting = false;
    let answers: readonly Answer[] = [];
    try {
      if (isInDoubt) settle([], []);
      transaction(() => {
        begin();
        isWriting = true;
        answers = commits.map(write);
        isWriting = false;
      });
      return answers;
    } catch (error) {
      forget();
      const cause = error instanceof InDoubt ? error.cause : error;
      // Where there is no answer yet, it is an earlier commit that is still in doubt.
      if (error instanceof InDoubt && answers.length > 0) return answersInDoubt(commits, answers, cause);
      if (!isWriting) return commits.map(() => left(unavailable(cause)));
      if (commits.length === 1) return commits.map((commit) => refusalOf(commit, cause));
      const half = Math.ceil(commits.length / 2);
      return [...writeAll(commits.slice(0, half)), ...writeAll(commits.slice(half))];
    }
  };

  // Within a transaction, better-sqlite3 makes this a savepoint.
  const savepoint = database.transaction((commit: Commit) => {
    begin();
    return write(commit);
  });

  const commitInside = (commit: Commit): Answer => {
    try {
      return savepoint(commit);
    } catch (cause) {
      // Some failures undo the whole transaction of the host: then there is nothing left to compare with.
      return database.inTransaction ? refusalOf(commit, cause) : left(unavailable(cause));
    } finally {
      // Nobody says whether the host will commit.
      forget();
    }
  };

  const enqueue = (commit: Commit) =>
    new Promise<Answer>((answer) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ commit, answer });
    });

  const flush = (): void => {
    const batch = waiting;
    if (batch.length === 0) return;
    waiting = [];
    if (database.inTransaction) {
      for (const { commit, answer } of batch) answer(outside.later(() => enqueue(commit)));
      return;
    }
    const written = writeAll(batch.map(({ commit }) => commit));
    committed();
    // An answer is a promise that the next process finds what was written.
    const answers = file.isSame() ? written : exceptWritten(written, committedToGoneFile);
    for (const [at, answer] of answers.entries()) batch[at]?.answer(answer);
  };

  return {
    commit: (commit) => (database.inTransaction ? outside.later(() => enqueue(commit)) : enqueue(commit)),
    commitInside,
    flush,
  };
};
