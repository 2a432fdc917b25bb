import type { Reindexing } from '@clinical-records/core/store';
import { left, right } from 'fp-ts/lib/Either.js';
import {
  isConnectionLost,
  isTransient,
  outcomeUnknownError,
  postgresError,
  staysLockedError,
} from '../postgres-errors.ts';
import type { PostgresClient } from '../postgres-pool.ts';
import { beginTransaction, commitTransaction, InDoubtError } from '../transaction.ts';
import type { UseClient } from '../use-client.ts';
import { within } from '../within.ts';
import { answerTimeout, idleTimeout, msUntil } from './group-transaction.ts';
import { lockTimeout } from './lock-head.ts';
import type { CommitResult } from './pending-commit.ts';
import { succeedBy } from './succeed-by.ts';
import type { RunQueries, WriteIndex } from './write-index.ts';

/** Replaces index entries in a transaction of their own, and tries again while others have locked the records. */
export const createReindex = (
  use: UseClient,
  writeIndex: WriteIndex,
  { transactionTimeout }: { readonly transactionTimeout: number },
): ((reindexing: Reindexing) => Promise<CommitResult>) => {
  const write = async (
    client: PostgresClient,
    reindexing: Reindexing,
    end: number,
  ): Promise<CommitResult> => {
    const run: RunQueries = async (queries) => {
      const responses = [];
      for (const query of queries) responses.push(await within(answerTimeout(end), client.query(query)));
      return responses.map(({ rows }) => rows);
    };
    const begin = beginTransaction({
      lock_timeout: Math.min(lockTimeout, msUntil(end)),
      idle_in_transaction_session_timeout: idleTimeout,
    });
    await run([begin]);
    try {
      const conflict = await writeIndex(run, reindexing, run);
      if (conflict === null) {
        await commitTransaction(client, [], answerTimeout(end));
        return right([]);
      }
      await client.query({ text: 'rollback' });
      return left(conflict);
    } catch (cause) {
      if (!isConnectionLost(cause)) await client.query({ text: 'rollback' }).catch(() => {});
      throw cause;
    }
  };

  /** Writes a reindexing in doubt again, which waits for its end, and then changes nothing if it was written. */
  const settle = async (reindexing: Reindexing, end: number, doubt: InDoubtError): Promise<CommitResult> => {
    const again = await succeedBy(end, () => use((client) => write(client, reindexing, end), msUntil(end)));
    // A record that has changed since does not show what became of it.
    return again?._tag === 'Right' ? again : left(outcomeUnknownError(doubt));
  };

  return async (reindexing) => {
    const end = performance.now() + transactionTimeout;
    for (;;) {
      try {
        return await use((client) => write(client, reindexing, end), msUntil(end));
      } catch (cause) {
        if (cause instanceof InDoubtError) return settle(reindexing, end, cause);
        if (!isTransient(cause)) return left(postgresError(cause));
        if (performance.now() > end) return left(staysLockedError);
      }
    }
  };
};
