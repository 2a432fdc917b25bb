import type { Commit } from '@clinical-records/core/store';
import { left } from 'fp-ts/lib/Either.js';
import { type CommitResult, checkCommit, type PendingCommit, prepareCommit } from './pending-commit.ts';
import type { WriteGroup } from './write-group.ts';

/** The most versions of a group, and the most characters of their texts, unless a single commit has more. */
const maxVersions = 500;
const maxSize = 8 * 1024 * 1024;

/** The names of the records that a commit changes. */
const changedNames = ({ expectations }: PendingCommit): readonly string[] =>
  expectations.flatMap(({ name, version }) => (version === null ? [] : [name]));

/**
 * Takes the first commits that can be written together, and leaves the others. A commit that names a record which an
 * earlier one changes waits for that one, also if the earlier one is `blocked`.
 */
const takeGroup = (
  waiting: readonly PendingCommit[],
  blocked: Iterable<PendingCommit>,
): readonly [group: PendingCommit[], rest: PendingCommit[]] => {
  const group: PendingCommit[] = [];
  const rest: PendingCommit[] = [];
  const changed = new Set([...blocked].flatMap(changedNames));
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
    for (const name of changedNames(pending)) changed.add(name);
  }
  return [group, rest];
};

/**
 * Writes the commits of one turn of the event loop in one transaction, and those that come meanwhile in the next. A
 * round trip and a sync to disk are the main costs, and a group shares them.
 *
 * A commit that is blocked by a transaction of the host is written by itself, while others go on. Those that name its
 * records wait for it here, so that they need no clients.
 */
export const createGroupCommit = ({
  writeGroup,
  writePatiently,
}: WriteGroup): ((commit: Commit) => Promise<CommitResult>) => {
  const blocked = new Set<PendingCommit>();
  let waiting: PendingCommit[] = [];
  let isWriting = false;

  const writeBlocked = async (pending: PendingCommit): Promise<void> => {
    blocked.add(pending);
    await writePatiently(pending);
    blocked.delete(pending);
    void writeAll();
  };

  const writeAll = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    // All commits of a turn wait before the first is written.
    await new Promise((resolve) => setImmediate(resolve));
    for (;;) {
      const [group, rest] = takeGroup(waiting, blocked);
      if (group.length === 0) break;
      waiting = rest;
      for (const pending of await writeGroup(group)) void writeBlocked(pending);
    }
    isWriting = false;
  };

  return (commit) => {
    const error = checkCommit(commit);
    if (error !== null) return Promise.resolve(left(error));
    return new Promise((resolve) => {
      waiting.push({ ...prepareCommit(commit), since: performance.now(), resolve });
      void writeAll();
    });
  };
};
