import type { PostgresClient } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { InDoubtError, NotWrittenError } from '../transaction.ts';
import type { UseClient } from '../use-client.ts';
import { within } from '../within.ts';
import type { BoundGroup } from './bind-group.ts';
import {
  createGroupTransaction,
  type GroupTransaction,
  msUntil,
  type Patience,
} from './group-transaction.ts';
import type { PendingCommit } from './pending-commit.ts';
import { createWriters, nextNumber, type SettledOutcome, type Writer } from './writer.ts';

export type GroupWriter = {
  /**
   * Writes a group once, and returns what was written.
   *
   * Throws an `InDoubtError` if it is not known what was written. If it throws anything else, nothing was: a
   * `NotWrittenError` after a connection was lost in the transaction.
   */
  readonly tryWrite: (group: readonly PendingCommit[], patience: Patience) => Promise<BoundGroup>;
  readonly readVersions: GroupTransaction['readVersions'];
  /** Must be called if the database may be an older copy of itself. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
};

/** A try to write a group: what it writes, and as which transaction, once that is known. */
type Attempt = {
  readonly group: readonly PendingCommit[];
  bound: BoundGroup | null;
  writer: Writer | null;
};

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const firstPause = 20;
const longestPause = 500;

/** Writes groups of commits, each in one transaction, and finds out what became of those without a response. */
export const createGroupWriter = (builder: QueryBuilder, use: UseClient): GroupWriter => {
  const writers = createWriters(builder);
  const { bind, write, readVersions, remember, forget } = createGroupTransaction(builder);

  const settle = async (writer: Writer, end: number): Promise<SettledOutcome> => {
    for (let milliseconds = firstPause; performance.now() < end; milliseconds *= 2) {
      try {
        const limits = { lock_timeout: msUntil(end) };
        return await within(
          msUntil(end),
          use((client) => writers.settle(client, writer, limits)),
        );
      } catch {
        await pause(Math.min(milliseconds, longestPause));
      }
    }
    return 'unknown';
  };

  /** Sends the transaction of a group. */
  const send = async (client: PostgresClient, attempt: Attempt, patience: Patience) => {
    attempt.bound = await bind(client, attempt.group);
    attempt.writer = await writers.take(client);
    await write(client, attempt.bound, attempt.writer, patience);
    attempt.writer.number = nextNumber(attempt.writer);
  };

  return {
    tryWrite: async (group, patience) => {
      const attempt: Attempt = { group, bound: null, writer: null };
      try {
        await use((client) => send(client, attempt, patience));
      } catch (cause) {
        if (attempt.writer === null || !(cause instanceof InDoubtError)) {
          if (attempt.writer !== null) writers.giveBack(attempt.writer);
          throw cause;
        }
        // The server may be another one now.
        forget();
        const outcome = await settle(attempt.writer, patience.end);
        if (outcome === 'unknown') throw cause;
        if (outcome === 'not written') {
          writers.giveBack(attempt.writer);
          throw new NotWrittenError('The transaction was lost.', { cause: cause.cause });
        }
      }
      const { bound, writer } = attempt;
      if (bound === null || writer === null) throw new Error('A group was written before it was bound.');
      writers.giveBack(writer);
      remember(bound);
      return bound;
    },
    readVersions,
    forget: () => {
      forget();
      writers.forget();
    },
    close: () => use(writers.close),
  };
};
