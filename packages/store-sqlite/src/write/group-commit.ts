import type { ClinicalStore, Commit, StoreError } from '@clinical-records/core';
import { type Either, isRight, left } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import { attempt, unavailable } from '../unavailable.ts';
import type { CommitWriter } from './write-commit.ts';

type Answer = Either<StoreError, readonly number[]>;
type Waiting = { readonly commit: Commit; readonly answer: (answer: Answer) => void };

export type GroupCommit = {
  readonly commit: ClinicalStore['commit'];
  /** Writes what is waiting, now. */
  readonly flush: () => void;
};

/**
 * Writes the commits of one turn of the event loop in one transaction, since what costs is the sync to disk.
 * Each is answered once all are durable. If one cannot be written, each is written in a transaction of its own, so
 * that it harms none of the others. (Of conflicts, only a record that was to be a new one is such a case.)
 *
 * Where the host has a transaction open, a commit is written at once, as a part of it.
 */
export const groupCommit = (
  database: SqliteDatabase,
  { write, conflictIn, forget }: CommitWriter,
): GroupCommit => {
  let waiting: Waiting[] = [];
  let isWriting = false;

  const together = database.transaction((commits: readonly Commit[]) => {
    isWriting = true;
    const answers = commits.map(write);
    isWriting = false;
    return answers;
  });

  /** Why a commit could not be written: said of what is there once it is undone. */
  const refusal = (commit: Commit, cause: unknown): Answer => {
    const conflict = attempt(() => conflictIn(commit));
    return left((isRight(conflict) ? conflict.right : null) ?? unavailable(cause));
  };

  const writeAll = (commits: readonly Commit[]): readonly Answer[] => {
    isWriting = false;
    try {
      if (database.inTransaction) throw new Error('The host has a transaction open.');
      return together.immediate(commits);
    } catch (cause) {
      forget();
      if (isWriting && commits.length > 1) return commits.flatMap((commit) => writeAll([commit]));
      return commits.map((commit) => refusal(commit, cause));
    }
  };

  // Within a transaction, better-sqlite3 makes this a savepoint.
  const savepoint = database.transaction(write);

  const joinHost = (commit: Commit): Answer => {
    try {
      return savepoint(commit);
    } catch (cause) {
      return refusal(commit, cause);
    } finally {
      // Whether the host commits, nobody says.
      forget();
    }
  };

  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    const answers = writeAll(batch.map(({ commit }) => commit));
    for (const [at, answer] of answers.entries()) batch[at]?.answer(answer);
  };

  const flushSoon = (): void => {
    setImmediate(() => {
      // What was asked for outside of the host's transaction must not be undone with it.
      if (database.inTransaction) flushSoon();
      else if (waiting.length > 0) flush();
    });
  };

  const enqueue = (commit: Commit) =>
    new Promise<Answer>((answer) => {
      if (waiting.length === 0) flushSoon();
      waiting.push({ commit, answer });
    });

  return {
    commit: (commit) => async () => (database.inTransaction ? joinHost(commit) : enqueue(commit)),
    flush: () => {
      if (waiting.length > 0) flush();
    },
  };
};
