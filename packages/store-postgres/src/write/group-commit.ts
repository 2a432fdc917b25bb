import type { Commit } from '@clinical-records/core/store';
import { left } from 'fp-ts/lib/Either.js';
import { unavailableError } from '../postgres-errors.ts';
import { type CommitResult, nameOf, type PendingCommit, toPendingCommit } from './pending-commit.ts';

/** The most versions of a group, and the most characters of their texts, unless a single commit has more. */
const maxVersions = 500;
const maxSize = 8 * 1024 * 1024;

const repeatedRecordError = unavailableError('A commit names a record twice among its changes.');

/** The reason for which no database could write a commit; null if there is none. */
const checkCommit = ({ changes }: Commit) => {
  const names = new Set(changes.map(({ type, id }) => nameOf(type, id)));
  return names.size < changes.length ? repeatedRecordError : null;
};

/**
 * Takes the first commits that can be written together, and leaves the others. A commit that names a record which an
 * earlier one changes waits for that one.
 */
const takeGroup = (
  waiting: readonly PendingCommit[],
): readonly [group: PendingCommit[], rest: PendingCommit[]] => {
  const group: PendingCommit[] = [];
  const rest: PendingCommit[] = [];
  const changed = new Set<string>();
  let [versions, size] = [0, 0];
  for (const pending of waiting) {
    const isFull =
      group.length > 0 && (versions + pending.changeCount > maxVersions || size + pending.size > maxSize);
    const isFree = !isFull && pending.expectations.every(({ name }) => !changed.has(name));
    (isFree ? group : rest).push(pending);
    if (isFree) {
      versions += pending.changeCount;
      size += pending.size;
    }
    // A later commit does not overtake this one, either.
    for (const { name, version } of pending.expectations) if (version !== null) changed.add(name);
  }
  return [group, rest];
};

export type GroupCommit = {
  readonly commit: (commit: Commit) => Promise<CommitResult>;
  /** Resolves once nothing waits or is written. */
  readonly drain: () => Promise<void>;
};

/**
 * Writes the commits of one turn of the event loop in one transaction, and those that come meanwhile in the next. A
 * round trip and a sync to disk are the main costs, and a group shares them.
 */
export const createGroupCommit = (write: (group: readonly PendingCommit[]) => Promise<void>): GroupCommit => {
  let waiting: PendingCommit[] = [];
  let writing: Promise<void> | null = null;

  const writeAll = async (): Promise<void> => {
    // All commits of a turn wait before the first is written.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const [group, rest] = takeGroup(waiting);
      waiting = rest;
      await write(group);
    }
    writing = null;
  };

  return {
    commit: (commit) => {
      const error = checkCommit(commit);
      if (error !== null) return Promise.resolve(left(error));
      return new Promise((resolve) => {
        waiting.push(toPendingCommit(commit, resolve));
        writing ??= writeAll();
      });
    },
    drain: async () => {
      while (writing !== null) await writing;
    },
  };
};
