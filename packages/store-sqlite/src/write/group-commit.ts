import type { Commit, StoreError } from '@clinical-records/core';
import { type Either, isRight, left } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import { attempt, unavailable } from '../unavailable.ts';
import type { CommitWriter } from './write-commit.ts';

type Answer = Either<StoreError, readonly number[]>;
type Waiting = { readonly commit: Commit; readonly answer: (answer: Answer) => void };

export type GroupCommit = {
  readonly commit: (commit: Commit) => Promise<Answer>;
  /** Writes what is waiting, now. */
  readonly flush: () => void;
};

/**
 * Writes the commits of one turn of the event loop in one transaction, since what costs is the sync to disk.
 * Each is answered once all are durable. If one cannot be written, or a record that it wants to be the first to write is
 * there already, all is undone, and each half of the commits gets a transaction of its own, until that one is alone. Any
 * other conflict writes nothing, and leaves the transaction to the others.
 *
 * Where the host has a transaction open, a commit is written at once, as a part of it.
 */
export const groupCommit = (
  database: SqliteDatabase,
  { begin, write, conflictIn, forget }: CommitWriter,
): GroupCommit => {
  let waiting: Waiting[] = [];
  /** Whether a commit is being written. What fails before or after that is the transaction itself, and it fails for all. */
  let isWriting = false;

  const together = database.transaction((commits: readonly Commit[]) => {
    begin();
    isWriting = true;
    const answers = commits.map(write);
    isWriting = false;
    return answers;
  });

  /** Why a commit could not be written, once what it had written, and nothing else, was undone. */
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
      if (!isWriting) return commits.map(() => left(unavailable(cause)));
      if (commits.length === 1) return commits.map((commit) => refusal(commit, cause));
      const half = Math.ceil(commits.length / 2);
      return [...writeAll(commits.slice(0, half)), ...writeAll(commits.slice(half))];
    }
  };

  // Within a transaction, better-sqlite3 makes this a savepoint.
  const savepoint = database.transaction((commit: Commit) => {
    begin();
    return write(commit);
  });

  const joinHost = (commit: Commit): Answer => {
    try {
      return savepoint(commit);
    } catch (cause) {
      // Some failures undo the whole transaction of the host: then there is nothing left to compare with.
      return database.inTransaction ? refusal(commit, cause) : left(unavailable(cause));
    } finally {
      // Nobody says whether the host will commit.
      forget();
    }
  };

  const flush = (): void => {
    const batch = waiting;
    if (batch.length === 0) return;
    waiting = [];
    const answers = writeAll(batch.map(({ commit }) => commit));
    for (const [at, answer] of answers.entries()) batch[at]?.answer(answer);
  };

  /** What was asked for outside of the host's transaction must not be undone with it. */
  const flushOutside = (): void => {
    if (waiting.length > 0 && database.inTransaction) setTimeout(flushOutside, 1);
    else flush();
  };

  const enqueue = (commit: Commit) =>
    new Promise<Answer>((answer) => {
      if (waiting.length === 0) setImmediate(flushOutside);
      waiting.push({ commit, answer });
    });

  return {
    commit: async (commit) => (database.inTransaction ? joinHost(commit) : enqueue(commit)),
    flush,
  };
};
