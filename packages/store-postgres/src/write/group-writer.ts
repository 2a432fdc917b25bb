import type { PostgresClient } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { InDoubtError, NotWrittenError } from '../transaction.ts';
import type { UseClient } from '../use-client.ts';
import type { BoundGroup } from './bind-group.ts';
import { isErasing } from './erase.ts';
import { type PlacedGroup, placeGroup } from './feed-head.ts';
import {
  createGroupTransaction,
  type GroupTransaction,
  idleTimeout,
  msUntil,
  type Patience,
} from './group-transaction.ts';
import { createKnownHead } from './known-head.ts';
import type { PendingCommit } from './pending-commit.ts';
import { createSettle, type SettledOutcome } from './settle.ts';
import { succeedBy } from './succeed-by.ts';
import { isHeadMoved } from './write-statement.ts';

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
};

/** A try to write a group, and the places of its versions once they are sent. */
type Attempt = { readonly group: readonly PendingCommit[]; placed: PlacedGroup | null };

/** Writes groups of commits, each in one transaction, and finds out what became of those without a response. */
export const createGroupWriter = (builder: QueryBuilder, use: UseClient): GroupWriter => {
  const transaction = createGroupTransaction(builder);
  const settleOn = createSettle(builder);
  const knownHead = createKnownHead();

  const forget = (): void => {
    transaction.forget();
    knownHead.forget();
  };

  const settle = async (group: PlacedGroup, end: number): Promise<SettledOutcome> => {
    const outcome = await succeedBy(end, () => {
      const limits = { lock_timeout: msUntil(end), idle_in_transaction_session_timeout: idleTimeout };
      return use((client) => settleOn(client, group, limits), msUntil(end));
    });
    return outcome ?? 'unknown';
  };

  /** Sends the transaction of a group, at once if the end of the feed is where it is expected. */
  const send = async (client: PostgresClient, attempt: Attempt, patience: Patience): Promise<PlacedGroup> => {
    const bound = await transaction.bind(client, attempt.group, patience);
    // An erased text is lost. So nothing is erased until its transaction has begun.
    const mustOpen = patience.isPatient || isErasing(bound.versions);
    const expected = mustOpen ? null : knownHead.expected();
    if (expected !== null) {
      attempt.placed = placeGroup(bound, expected);
      try {
        await transaction.writeAtOnce(client, attempt.placed, patience);
        return attempt.placed;
      } catch (cause) {
        if (!isHeadMoved(cause)) throw cause;
      }
    }
    const head = await transaction.open(client, bound, patience, knownHead.last());
    if (!knownHead.onRead(head)) transaction.forget();
    attempt.placed = placeGroup(bound, head);
    await transaction.finish(client, attempt.placed, patience);
    return attempt.placed;
  };

  return {
    tryWrite: async (group, patience) => {
      const attempt: Attempt = { group, placed: null };
      try {
        const placed = await use((client) => send(client, attempt, patience), msUntil(patience.end));
        knownHead.onWritten(placed.end);
        transaction.remember(placed);
        return placed;
      } catch (cause) {
        if (attempt.placed === null || !(cause instanceof InDoubtError)) throw cause;
        // The server may be another one now.
        forget();
        const outcome = await settle(attempt.placed, patience.end);
        if (outcome === 'unknown') throw cause;
        if (outcome === 'not written')
          throw new NotWrittenError('The transaction was lost.', { cause: cause.cause });
        return attempt.placed;
      }
    },
    readVersions: transaction.readVersions,
    forget,
  };
};
