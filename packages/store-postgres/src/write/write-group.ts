import type { StoreError } from '@clinical-records/core/store';
import { left, right } from 'fp-ts/lib/Either.js';
import {
  errorCode,
  isConnectionLost,
  isTransient,
  outcomeUnknownError,
  postgresError,
  unavailableError,
} from '../postgres-errors.ts';
import { InDoubtError } from '../transaction.ts';
import type { UseClient } from '../use-client.ts';
import { type BoundGroup, refsOf } from './bind-group.ts';
import type { GroupWriter, Patience } from './group-writer.ts';
import { conflictOf, type PendingCommit } from './pending-commit.ts';

const staysLockedError = unavailableError(
  'Another transaction keeps a record locked that this commit writes. Try again later.',
);

/** The guard of the end of the feed has failed, or the key of a record that should be new. */
const isUnexpectedVersion = (cause: unknown): boolean => ['23502', '23505'].includes(errorCode(cause) ?? '');

const fail = (group: readonly PendingCommit[], error: StoreError): void => {
  for (const { resolve } of group) resolve(left(error));
};

const succeed = (group: readonly PendingCommit[], { versions }: BoundGroup): void => {
  let at = 0;
  for (const { changeCount, resolve } of group) {
    resolve(right(versions.slice(at, at + changeCount).map(({ before }) => before + 1)));
    at += changeCount;
  }
};

/** The most commits that wait for locks at the same time, each on a client of its own. */
const maxWaiters = 4;

const inTurns = async <A>(items: readonly A[], work: (item: A) => Promise<void>): Promise<void> => {
  const rest = [...items];
  const workers = Array.from({ length: maxWaiters }, async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next);
  });
  await Promise.all(workers);
};

/**
 * Writes a group, and resolves each of its commits.
 *
 * If a group cannot be written, those of its commits that conflict are resolved, and the others tried again. If one of
 * them has another error, or waits for a lock, each continues by itself.
 */
export const createWriteGroup = (
  { tryWrite, readVersions, forget }: GroupWriter,
  use: UseClient,
  { transactionTimeout }: { readonly transactionTimeout: number },
): ((group: readonly PendingCommit[]) => Promise<void>) => {
  /** Resolves the commits of a group that conflict, and returns the others. */
  const resolveConflicts = async (group: readonly PendingCommit[]): Promise<readonly PendingCommit[]> => {
    const refs = refsOf(group.flatMap(({ expectations }) => expectations));
    const versions = await use((client) => readVersions(client, refs));
    const others = group.filter((pending) => {
      const conflict = conflictOf(pending, versions);
      if (conflict !== null) fail([pending], conflict);
      return conflict === null;
    });
    // Nothing but a number that the database does not have, or a change meanwhile, can have been in the way.
    if (others.length === group.length) forget();
    return others;
  };

  const continueAfter = async (
    cause: unknown,
    group: readonly PendingCommit[],
    patience: Patience,
  ): Promise<readonly PendingCommit[]> => {
    if (isUnexpectedVersion(cause)) return resolveConflicts(group);
    if (!isConnectionLost(cause) && group.length > 1) {
      await inTurns(group, (one) => writeUntil([one], { ...patience, isPatient: true }));
      return [];
    }
    if (isTransient(cause)) return group;
    throw cause;
  };

  const writeUntil = async (group: readonly PendingCommit[], patience: Patience): Promise<void> => {
    let rest = group;
    while (rest.length > 0) {
      try {
        const written = await tryWrite(rest, patience);
        if (written !== null) return succeed(rest, written);
      } catch (cause) {
        if (cause instanceof InDoubtError) return fail(rest, outcomeUnknownError(cause.cause));
        try {
          rest = await continueAfter(cause, rest, patience);
        } catch (reason) {
          // Nothing of these commits is written. Those that are resolved already are not affected.
          return fail(rest, postgresError(reason));
        }
      }
      if (performance.now() > patience.end) return fail(rest, staysLockedError);
    }
  };

  return async (group) => {
    await writeUntil(group, { end: performance.now() + transactionTimeout, isPatient: false });
  };
};
