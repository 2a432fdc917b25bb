import { nextTick } from 'node:process';
import type { StoreError } from '@clinical-records/core';
import type { Either } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from './database.ts';
import { attempt } from './unavailable.ts';

export type GroupRead = {
  /** Answers what some work reads: at once, or at the end of the turn. */
  readonly read: <A>(work: () => A) => Promise<Either<StoreError, A>>;
  /** Reads what is waiting, now. */
  readonly flush: () => void;
};

/**
 * Reads what is asked for in one turn of the event loop together, at its end and in one transaction: it locks the file
 * once, and SQLite's code and pages stay in the caches of the processor.
 *
 * Whoever is alone does not wait: the first callback of a turn that reads is answered at once, as often as it asks. So is
 * whoever asks while the host has a transaction open. What waits when the host opens one is read in it: it would wait for
 * ever, if the host awaited it there.
 */
export const groupRead = (database: SqliteDatabase): GroupRead => {
  let turn: 'free' | 'of this callback' | 'of another' = 'free';
  let waiting: (() => void)[] = [];

  const together = database.transaction((batch: readonly (() => void)[]) => {
    for (const answer of batch) answer();
  });

  const flush = (): void => {
    const batch = waiting;
    if (batch.length === 0) return;
    waiting = [];
    try {
      together(batch);
    } catch {
      // There was no transaction: each that is not answered yet finds out by itself what is wrong.
      for (const answer of batch) answer();
    }
  };

  const take = (): void => {
    turn = 'of this callback';
    // A tick that a promise asks for comes once all promises of the callback are kept, and before the next callback.
    queueMicrotask(() =>
      nextTick(() => {
        turn = 'of another';
      }),
    );
    setImmediate(() => {
      turn = 'free';
      flush();
    });
  };

  return {
    read: (work) => {
      if (turn === 'of another' && !database.inTransaction) {
        return new Promise((resolve) => {
          waiting.push(() => resolve(attempt(work)));
        });
      }
      if (turn === 'free') take();
      return Promise.resolve(attempt(work));
    },
    flush,
  };
};
