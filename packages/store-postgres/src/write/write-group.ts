import type { StoreError } from '@clinical-records/core/store';
import { left, right } from 'fp-ts/lib/Either.js';
import {
  errorCode,
  isConnectionLost,
  isNotPrepared,
  isTransient,
  outcomeUnknownError,
  postgresError,
  staysLockedError,
} from '../postgres-errors.ts';
import { createSlots } from '../slots.ts';
import { InDoubtError, NotWrittenError } from '../transaction.ts';
import type { UseClient } from '../use-client.ts';
import { type BoundGroup, refsOf } from './bind-group.ts';
import { msUntil, type Patience } from './group-transaction.ts';
import type { GroupWriter } from './group-writer.ts';
import { conflictOf, type PendingCommit } from './pending-commit.ts';

/** The guard of the end of the feed has failed, or the key of a record that should be new. */
const isUnexpectedVersion = (cause: unknown): boolean => ['23502', '23505'].includes(errorCode(cause) ?? '');

/** No commit of a group is left. */
const none: readonly PendingCommit[] = [];

const fail = (group: readonly PendingCommit[], error: StoreError): typeof none => {
  for (const { resolve } of group) resolve(left(error));
  return none;
};

const succeed = (group: readonly PendingCommit[], { versions }: BoundGroup): typeof none => {
  let at = 0;
  for (const { changeCount, resolve } of group) {
    resolve(right(versions.slice(at, at + changeCount).map(({ before }) => before + 1)));
    at += changeCount;
  }
  return none;
};

/** How many milliseconds PostgreSQL has for each version that it writes or checks, however busy it is. */
const timeOfVersion = 5;

const workTime = (group: readonly PendingCommit[]): number =>
  timeOfVersion * group.reduce((total, { expectations }) => total + expectations.length, 0);

/** The most commits that are written by themselves at the same time, each on a client of its own. */
const maxWriters = 4;

/** How commits are written, and resolved. */
export type WriteGroup = {
  /** Writes a group, and resolves its commits but those that it returns: a transaction of the host may block them. */
  readonly writeGroup: (group: readonly PendingCommit[]) => Promise<readonly PendingCommit[]>;
  /** Writes a commit, and waits for the transactions that block it. */
  readonly writePatiently: (pending: PendingCommit) => Promise<void>;
};

/**
 * Creates functions that write commits. If a group cannot be written, those of its commits that conflict are resolved,
 * and the others tried again. If one of them has another error, or is blocked, each is tried by itself.
 */
export const createWriteGroup = (
  { tryWrite, readVersions, forget }: GroupWriter,
  use: UseClient,
  { transactionTimeout }: { readonly transactionTimeout: number },
): WriteGroup => {
  const inSlot = createSlots(maxWriters);
  const inPatientSlot = createSlots(maxWriters);

  /** Resolves the commits of a group that conflict, and returns the others. */
  const resolveConflicts = async (
    group: readonly PendingCommit[],
    patience: Patience,
  ): Promise<readonly PendingCommit[]> => {
    const refs = refsOf(group.flatMap(({ expectations }) => expectations));
    let versions: ReadonlyMap<string, number>;
    try {
      versions = await use((client) => readVersions(client, refs, patience), msUntil(patience.end));
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

  /** Writes a group, and returns the commits that are blocked. A patient one tries until the end. */
  const write = async (
    group: readonly PendingCommit[],
    patience: Patience,
  ): Promise<readonly PendingCommit[]> => {
    const attempt = (rest: readonly PendingCommit[]) => tryWrite(rest, patience);
    let rest = group;
    /** Why the last try was in vain. */
    let error: StoreError = staysLockedError;
    while (rest.length > 0) {
      try {
        const tried = rest;
        const written = await (patience.isPatient ? inPatientSlot(() => attempt(tried)) : attempt(tried));
        return succeed(rest, written);
      } catch (cause) {
        if (cause instanceof InDoubtError) return fail(rest, outcomeUnknownError(cause));
        if (cause instanceof NotWrittenError) error = postgresError(cause.cause);
        else if (isUnexpectedVersion(cause)) rest = await resolveConflicts(rest, patience);
        else if (isConnectionLost(cause)) return fail(rest, postgresError(cause));
        else if (rest.length > 1) return writeEach(rest, patience);
        else if (!isTransient(cause)) return fail(rest, postgresError(cause));
        else if (!patience.isPatient) return rest;
        else error = isNotPrepared(cause) ? postgresError(cause) : staysLockedError;
      }
      if (performance.now() > patience.end) return fail(rest, error);
    }
    return none;
  };

  const writeEach = async (group: readonly PendingCommit[], patience: Patience) =>
    (await Promise.all(group.map((one) => inSlot(() => write([one], patience))))).flat();

  return {
    writeGroup: (group) =>
      write(group, { end: performance.now() + transactionTimeout + workTime(group), isPatient: false }),
    writePatiently: async (pending) => {
      const end = pending.since + transactionTimeout + workTime([pending]);
      await write([pending], { end, isPatient: true });
    },
  };
};
