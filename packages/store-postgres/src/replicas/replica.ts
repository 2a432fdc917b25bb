import { isCanceled } from '../postgres-errors.ts';
import type { PostgresClient, PostgresPool } from '../postgres-pool.ts';
import type { Statement } from '../statement.ts';
import type { TransactionSettings } from '../transaction.ts';
import { createExclusiveClient, createSharedClient, type UseClient } from '../use-client.ts';
import { within } from '../within.ts';
import type { PositionedRead, PositionedRows } from './positioned-read.ts';

/** The time in milliseconds after which a replica that does not answer is left out. */
const patience = 1000;

/** The time in milliseconds for which a replica that failed is left out. */
const pauseAfterFailure = 1000;

/** The time in milliseconds after which a replica is asked again how far it is. */
const pauseBetweenQuestions = 10;

/** A standby server that answers reads. */
export type Replica = {
  /**
   * Whether it is known to have replayed all versions up to a position. If it is not known, the replica is asked, and a
   * later call returns the answer.
   */
  readonly hasReplayed: (position: number) => boolean;
  /** Runs a statement. Throws if the replica does not show the position `least`, or does not answer. */
  readonly read: <Args, Row>(
    statement: Statement<Args, Row>,
    args: Args,
    options: { readonly least: number; readonly settings: TransactionSettings | null },
  ) => Promise<PositionedRows<Row>>;
};

export const createReplica = (pool: PostgresPool, { readPosition, readRows }: PositionedRead): Replica => {
  const useShared = createSharedClient(pool);
  const useExclusive = createExclusiveClient(pool);
  let replayed = -1;
  let isAsked = false;
  let nextQuestion = 0;

  const leaveOut = (): void => {
    replayed = -1;
    nextQuestion = performance.now() + pauseAfterFailure;
  };

  /** Neither a connection that is not made nor one that is lost unnoticed is waited for. The latter is closed. */
  const useFor = <A>(milliseconds: number, use: UseClient, work: (client: PostgresClient) => Promise<A>) =>
    within(
      milliseconds,
      use((client) => within(milliseconds, work(client))),
    );

  const ask = async (): Promise<void> => {
    isAsked = true;
    try {
      replayed = await useFor(patience, useShared, readPosition);
      nextQuestion = performance.now() + pauseBetweenQuestions;
    } catch {
      leaveOut();
    } finally {
      isAsked = false;
    }
  };

  return {
    hasReplayed: (position) => {
      if (replayed >= position) return true;
      if (!isAsked && performance.now() >= nextQuestion) void ask();
      return false;
    },
    read: async (statement, args, options) => {
      const { statement_timeout = 0 } = options.settings ?? {};
      const use = options.settings === null ? useShared : useExclusive;
      try {
        const result = await useFor(patience + statement_timeout, use, (client) =>
          readRows(client, statement, args, options),
        );
        replayed = Math.max(replayed, result.position);
        return result;
      } catch (cause) {
        if (!isCanceled(cause)) leaveOut();
        throw cause;
      }
    },
  };
};
