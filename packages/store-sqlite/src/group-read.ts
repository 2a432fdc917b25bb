import { nextTick } from 'node:process';
import type { StoreError } from '@clinical-records/core';
import type { Either } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from './database.ts';
import type { Outside } from './host-transaction.ts';
import { attempt } from './unavailable.ts';

export type GroupRead = {
  /** Answers what some work reads: at once, or at the end of the turn. */
  readonly read: <A>(work: () => A) => Promise<Either<StoreError, A>>;
  /** Reads what is waiting, now. */
  readonly flush: () => void;
};

/** Work that waits for the end of the turn: it is done then, or put off until the host's transaction is over. */
type Waiting = { readonly answer: () => void; readonly putOff: () => void };

/** How long the reads of one turn may take together, in milliseconds; what is left over then is read in the next one. */
const longestTogether = 10;

/**
 * Reads what is asked for in one turn of the event loop together, at its end and in one transaction: it locks the file
 * once, and SQLite's code and pages stay in the caches of the processor.
 *
 * Whoever is alone does not wait: the first callback of a turn that reads is answered at once, as often as it asks. Nothing is
 * read in a transaction of the host, where it would see what may yet be undone.
 */
export const groupRead = (database: SqliteDatabase, { later }: Outside): GroupRead => {
  let turn: 'free' | 'of this callback' | 'of another' = 'free';
  const waiting: Waiting[] = [];

  /** Reads what waits, one after the other, as long as there is time, and takes away what was read. */
  const together = database.transaction((end: number) => {
    while (waiting.length > 0 && performance.now() < end) {
      waiting[0]?.answer();
      waiting.shift();
    }
  });

  const readFor = (milliseconds: number): void => {
    if (waiting.length === 0) return;
    if (database.inTransaction) {
      for (const { putOff } of waiting.splice(0)) putOff();
      return;
    }
    try {
      together(performance.now() + milliseconds);
    } catch {
      // There was no transaction: each that is not answered yet finds out by itself what is wrong.
      for (const { answer } of waiting.splice(0)) answer();
    }
  };

  const readInTurn = (): void => {
    readFor(longestTogether);
    if (waiting.length > 0) setImmediate(readInTurn);
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
      readInTurn();
    });
  };

  const readOutside = <A>(work: () => A): Promise<Either<StoreError, A>> => {
    if (turn === 'of another') {
      return new Promise((resolve) => {
        waiting.push({
          answer: () => resolve(attempt(work)),
          putOff: () => resolve(later(() => readOutside(work))),
        });
      });
    }
    if (turn === 'free') take();
    return Promise.resolve(attempt(work));
  };

  return {
    read: (work) => (database.inTransaction ? later(() => readOutside(work)) : readOutside(work)),
    flush: () => readFor(Number.POSITIVE_INFINITY),
  };
};
