import type { PostgresClient } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { InDoubtError, runTransaction } from '../transaction.ts';
import type { UseClient } from '../use-client.ts';
import type { BoundGroup } from './bind-group.ts';
import { createGroupTransaction, type GroupTransaction } from './group-transaction.ts';
import type { PendingCommit } from './pending-commit.ts';
import { createWriters, nextNumber, type SettledOutcome, type Writer } from './writer.ts';

/** How long a group may wait. */
export type Patience = {
  /** The time by which all waiting is over, by `performance.now()`. */
  readonly end: number;
  /** Whether it waits for locks until then. Otherwise a locked record is an error at once. */
  readonly isPatient: boolean;
};

export type GroupWriter = {
  /**
   * Writes a group once, and returns what was written; null if nothing was or will be, after a connection was lost.
   *
   * Throws an `InDoubtError` if it is not known what was written. If it throws anything else, nothing was.
   */
  readonly tryWrite: (group: readonly PendingCommit[], patience: Patience) => Promise<BoundGroup | null>;
  readonly readVersions: GroupTransaction['readVersions'];
  readonly close: () => Promise<void>;
};

/** The time in milliseconds that a group waits for a lock, if it is not patient. Nothing but commits hold such locks. */
const briefLockTimeout = 400;

/** At least 1, because 0 would mean no limit. */
const msUntil = (end: number): number => Math.max(1, Math.ceil(end - performance.now()));

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const firstPause = 20;
const longestPause = 500;

/** Writes groups of commits, each in one transaction, and finds out what became of those without a response. */
export const createGroupWriter = (builder: QueryBuilder, use: UseClient): GroupWriter => {
  const writers = createWriters(builder);
  const { bind, queriesFor, readVersions, remember } = createGroupTransaction(builder, writers);

  const settle = async (writer: Writer, end: number): Promise<SettledOutcome> => {
    for (let milliseconds = firstPause; performance.now() < end; milliseconds *= 2) {
      try {
        return await use((client) => writers.settle(client, writer, { lock_timeout: msUntil(end) }));
      } catch {
        await pause(Math.min(milliseconds, longestPause));
      }
    }
    return 'unknown';
  };

  /** Sends the transaction of a group, and returns the reason for which its response is missing, if it is. */
  const send = async (
    client: PostgresClient,
    group: readonly PendingCommit[],
    { end, isPatient }: Patience,
  ): Promise<{
    readonly bound: BoundGroup;
    readonly writer: Writer;
    readonly doubt: InDoubtError | null;
  }> => {
    const bound = await bind(client, group);
    const writer = await writers.take(client);
    try {
      await runTransaction(client, queriesFor(bound, writer, { isPatient }), {
        lock_timeout: isPatient ? msUntil(end) : briefLockTimeout,
      });
      writer.number = nextNumber(writer);
      return { bound, writer, doubt: null };
    } catch (cause) {
      if (cause instanceof InDoubtError) return { bound, writer, doubt: cause };
      writers.giveBack(writer);
      throw cause;
    }
  };

  return {
    tryWrite: async (group, patience) => {
      const { bound, writer, doubt } = await use((client) => send(client, group, patience));
      const outcome = doubt === null ? 'written' : await settle(writer, patience.end);
      if (outcome === 'unknown') throw doubt;
      writers.giveBack(writer);
      if (outcome === 'not written') return null;
      remember(bound);
      return bound;
    },
    readVersions,
    close: () => use(writers.close),
  };
};
