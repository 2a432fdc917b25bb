import { isCanceled } from '../postgres-errors.ts';
import type { PostgresClient, PostgresPool } from '../postgres-pool.ts';
import type { Statement } from '../statement.ts';
import type { TransactionSettings } from '../transaction.ts';
import { createExclusiveClient, sharedClientOf, type UseClient } from '../use-client.ts';
import { within } from '../within.ts';
import { type Freshness, type FreshRead, type FreshRows, fresher, isAsFresh } from './freshness.ts';

/** The time in milliseconds after which a replica that does not answer is left out. */
const answerTimeout = 1000;

/** The time in milliseconds for which a replica that failed is left out. */
const pauseAfterFailure = 1000;

/** The time in milliseconds after which a replica is asked again how fresh it is. */
const pauseBetweenQuestions = 10;

/** A standby server that answers reads. */
export type Replica = {
  /**
   * Whether it is known to show as much. If it is not known, the replica is asked, and a later call returns the answer.
   */
  readonly isAsFresh: (least: Freshness) => boolean;
  /** Runs a statement. Throws if the replica does not show as much as `least`, or does not answer. */
  readonly read: <Args, Row>(
    statement: Statement<Args, Row>,
    args: Args,
    options: { readonly least: Freshness; readonly settings: TransactionSettings | null },
  ) => Promise<FreshRows<Row>>;
};

export const createReplica = (pool: PostgresPool, { readFreshness, readRows }: FreshRead): Replica => {
  const useShared = sharedClientOf(pool);
  const useExclusive = createExclusiveClient(pool);
  let shown: Freshness | null = null;
  let isAsked = false;
  let nextQuestion = 0;

  const leaveOut = (): void => {
    shown = null;
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
      shown = await useFor(answerTimeout, useShared, readFreshness);
      nextQuestion = performance.now() + pauseBetweenQuestions;
    } catch {
      leaveOut();
    } finally {
      isAsked = false;
    }
  };

  return {
    isAsFresh: (least) => {
      if (shown !== null && isAsFresh(shown, least)) return true;
      if (!isAsked && performance.now() >= nextQuestion) void ask();
      return false;
    },
    read: async (statement, args, options) => {
      const { statement_timeout = 0 } = options.settings ?? {};
      const use = options.settings === null ? useShared : useExclusive;
      try {
        const result = await useFor(answerTimeout + statement_timeout, use, (client) =>
          readRows(client, statement, args, options),
        );
        shown = shown === null ? result.shown : fresher(shown, result.shown);
        return result;
      } catch (cause) {
        if (!isCanceled(cause)) leaveOut();
        throw cause;
      }
    },
  };
};
