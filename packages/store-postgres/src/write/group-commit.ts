import { type Commit, createSlots, type StoreError } from '@clinical-records/core/store';
import { left, right } from 'fp-ts/lib/Either.js';
import {
  errorCode,
  isConnectionLost,
  isNotPrepared,
  isTransient,
  outcomeUnknownError,
  postgresError,
  ReadOnlyTenantError,
  staysLockedError,
} from '../postgres-errors.ts';
import { InDoubtError, NotWrittenError } from '../transaction.ts';
import type { UseClient } from '../use-client.ts';
import type { GroupWriter } from './group-writer.ts';
import {
  type BoundGroup,
  type CommitResult,
  checkChanges,
  conflictOf,
  type PendingCommit,
  prepareCommit,
  refsOf,
} from './prepared-commit.ts';
import { msUntil, type WaitLimit } from './waiting.ts';

/** The guard of the end of the feed has failed, or the key of a record that should be new, or there is no feed. */
const isUnexpectedVersion = (cause: unknown): boolean =>
  ['23502', '23505', '22012'].includes(errorCode(cause) ?? '');

/** No commit of a group is left. */
const none: readonly PendingCommit[] = [];

const fail = (group: readonly PendingCommit[], error: StoreError): typeof none => {
  for (const { resolve } of group) resolve(left(error));
  return none;
};

const succeed = (group: readonly PendingCommit[], { versions }: BoundGroup): typeof none => {
  let start = 0;
  for (const { changeCount, resolve } of group) {
    const end = start + changeCount;
    resolve(right(versions.slice(start, end).map(({ before }) => before + 1)));
    start = end;
  }
  return none;
};

/** How many milliseconds PostgreSQL has for each version that it writes or checks, however busy it is. */
const timeOfVersion = 5;

const workTime = (group: readonly PendingCommit[]): number =>
  timeOfVersion * group.reduce((total, { expectations }) => total + expectations.length, 0);

/** The most commits that are written at the same time, each in a transaction on a client of its own. */
const maxWriters = 4;

/** How commits are written, and resolved. */
type WriteGroup = {
  /** Writes a group, and resolves its commits but those that it returns: a transaction of the host may block them. */
  readonly writeGroup: (group: readonly PendingCommit[]) => Promise<readonly PendingCommit[]>;
  /** Writes a commit, and waits for the transactions that block it. */
  readonly writePatiently: (pending: PendingCommit) => Promise<void>;
};

/** Resolves the commits of a group that conflict, and returns the others. */
const createResolveConflicts =
  ({ readVersions, forget }: Pick<GroupWriter, 'readVersions' | 'forget'>, use: UseClient) =>
  async (group: readonly PendingCommit[], waitLimit: WaitLimit): Promise<readonly PendingCommit[]> => {
    const refs = refsOf(group.flatMap(({ expectations }) => expectations));
    let versions: ReadonlyMap<string, number>;
    try {
      versions = await use((client) => readVersions(client, refs, waitLimit), msUntil(waitLimit.end));
    } catch (cause) {
      // Nothing of these commits is written. Those that are resolved already are not affected.
      return fail(group, postgresError(cause));
    }
    const others = group.filter((pending) => {
      const conflict = conflictOf(pending, versions);
      if (conflict !== null) fail([pending], conflict);
      return conflict === null;
    });
    // Only a change meanwhile can have been in the way, or a term that another store has just added. The next try locks the
    // end of the feed before it writes any.
    if (others.length === group.length) forget();
    return others;
  };

/**
 * Creates functions that write commits. If a group cannot be written, those of its commits that conflict are resolved,
 * and the others tried again. If one of them has another error, or is blocked, each is tried by itself.
 */
export const createWriteGroup = (
  groupWriter: GroupWriter,
  use: UseClient,
  { transactionTimeout }: { readonly transactionTimeout: number },
): WriteGroup => {
  const inSlot = createSlots(maxWriters);
  const inWaitingSlot = createSlots(maxWriters);
  const resolveConflicts = createResolveConflicts(groupWriter, use);

  /** Writes a group, and returns the commits that are blocked. A patient one tries until the end. */
  const write = async (
    group: readonly PendingCommit[],
    waitLimit: WaitLimit,
  ): Promise<readonly PendingCommit[]> => {
    const attempt = (rest: readonly PendingCommit[]) => groupWriter.tryWrite(rest, waitLimit);
    let rest = group;
    /** Why the last try failed. */
    let error: StoreError = staysLockedError(null);
    while (rest.length > 0) {
      try {
        const tried = rest;
        const written = await (waitLimit.waitsForLocks
          ? inWaitingSlot(() => attempt(tried))
          : attempt(tried));
        return succeed(rest, written);
      } catch (cause) {
        if (cause instanceof InDoubtError) return fail(rest, outcomeUnknownError(cause));
        if (cause instanceof NotWrittenError) error = postgresError(cause.cause);
        else if (isUnexpectedVersion(cause)) rest = await resolveConflicts(rest, waitLimit);
        else if (isConnectionLost(cause) || cause instanceof ReadOnlyTenantError)
          return fail(rest, postgresError(cause));
        else if (rest.length > 1) return writeEach(rest, waitLimit);
        else if (!isTransient(cause)) return fail(rest, postgresError(cause));
        else if (!waitLimit.waitsForLocks) return rest;
        else error = isNotPrepared(cause) ? postgresError(cause) : staysLockedError(cause);
      }
      if (performance.now() > waitLimit.end) return fail(rest, error);
    }
    return none;
  };

  const writeEach = async (group: readonly PendingCommit[], waitLimit: WaitLimit) =>
    (await Promise.all(group.map((pending) => inSlot(() => write([pending], waitLimit))))).flat();

  return {
    writeGroup: (group) =>
      write(group, { end: performance.now() + transactionTimeout + workTime(group), waitsForLocks: false }),
    writePatiently: async (pending) => {
      const end = pending.since + transactionTimeout + workTime([pending]);
      await write([pending], { end, waitsForLocks: true });
    },
  };
};

/** The most versions of a group, and the most characters of their texts, unless a single commit has more. */
const maxVersions = 500;
const maxSize = 8 * 1024 * 1024;

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
 * Writes the commits of one turn of the event loop in one transaction, and those that come until it ends in the next. A
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
    const error = checkChanges(commit);
    if (error !== null) return Promise.resolve(left(error));
    return new Promise((resolve) => {
      waiting.push({ ...prepareCommit(commit), since: performance.now(), resolve });
      void writeAll();
    });
  };
};
