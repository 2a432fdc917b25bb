import type { ClinicalStore, Commit, StoreError } from '@clinical-records/core';
import { type Either, left } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import { unavailable } from '../unavailable.ts';

type Answer = Either<StoreError, readonly number[]>;
type Waiting = { readonly commit: Commit; readonly answer: (answer: Answer) => void };

export type GroupCommit = {
  readonly commit: ClinicalStore['commit'];
  /** Writes what is waiting, now. */
  readonly flush: () => void;
};

/**
 * Writes the commits of one turn of the event loop in one transaction, since what costs is the sync to disk.
 * A commit that fails takes back only what is its own; each is answered once all are durable.
 *
 * Where the host has a transaction open, a commit is written at once, as a part of it.
 */
export const groupCommit = (database: SqliteDatabase, write: (commit: Commit) => Answer): GroupCommit => {
  let waiting: Waiting[] = [];

  // Within a transaction, better-sqlite3 makes this a savepoint.
  const savepoint = database.transaction(write);

  const writeOne = (commit: Commit): Answer => {
    try {
      return savepoint(commit);
    } catch (cause) {
      // On a full disk, say, SQLite has rolled back the whole transaction.
      if (!database.inTransaction) throw cause;
      return left(unavailable(cause));
    }
  };

  const together = database.transaction((commits: readonly Commit[]) => commits.map(writeOne));

  const writeAll = (commits: readonly Commit[]): readonly Answer[] => {
    try {
      return together.immediate(commits);
    } catch (cause) {
      return commits.map(() => left(unavailable(cause)));
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

  const joinHost = (commit: Commit): Answer => {
    try {
      return writeOne(commit);
    } catch (cause) {
      return left(unavailable(cause));
    }
  };

  return {
    commit: (commit) => async () => (database.inTransaction ? joinHost(commit) : enqueue(commit)),
    flush: () => {
      if (waiting.length > 0) flush();
    },
  };
};
