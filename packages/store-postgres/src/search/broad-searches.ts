import type { StoreError } from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { errorCode, postgresError } from '../postgres-errors.ts';
import type { Reader } from '../reader.ts';
import type { Statement } from '../statement.ts';
import { runTransaction } from '../transaction.ts';
import type { UseClient } from '../use-client.ts';

/** The most broad searches at a time. More would slow each other down, and each has a client. */
const maxRunning = 4;

/** The most waiting searches. A further search fails at once instead of waiting for minutes. */
const maxWaiting = 32;

/** The time in milliseconds after which PostgreSQL gives up a broad search. */
const statementTimeout = 10_000;

/** PostgreSQL has cancelled a statement that took too long. */
const queryCanceled = '57014';

/** Runs searches that may look at many records, a few at a time, and none for long. */
export type BroadSearches = {
  readonly reader: Reader;
  /** Runs a search that uses the reader, or fails if too many wait. */
  readonly run: <A>(search: () => Promise<A>) => Promise<Either<StoreError, A>>;
};

export const createBroadSearches = (use: UseClient): BroadSearches => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    reader: async <Args, Row>(statement: Statement<Args, Row>, args: Args) => {
      const limits = { statement_timeout: statementTimeout };
      const [rows = []] = await use((client) => runTransaction(client, [statement.bind(args)], limits));
      return rows as readonly Row[];
    },
    run: async (search) => {
      if (running >= maxRunning) {
        if (waiting.length >= maxWaiting) return left({ _tag: 'Busy' });
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      running += 1;
      try {
        return right(await search());
      } catch (cause) {
        return left(errorCode(cause) === queryCanceled ? { _tag: 'TooCostly' } : postgresError(cause));
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    },
  };
};
