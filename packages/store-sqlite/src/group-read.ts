import { nextTick } from 'node:process';
import type { StoreError } from '@clinical-records/core';
import type { Either } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from './database.ts';
import type { HostTransactionGate } from './host-transaction.ts';
import { attempt } from './store-errors.ts';

export type GroupRead = {
  /** Answers what some work reads: at once, or at the end of the turn. */
  readonly read: <A>(work: () => A) => Promise<Either<StoreError, A>>;
  /** Reads what is waiting, now. */
  readonly flush: () => void;
};

/** Work that waits for the end of the turn: it is done then, or put off until the host's transaction is over. */
type PendingRead = { readonly run: () => void; readonly postpone: () => void };

/** How long the reads of one turn may take together, in milliseconds; what is left over then is read in the next one. */
const maxGroupTime = 10;

/**
 * Reads what is asked for in one turn of the event loop together, at its end and in one transaction: it locks the file
 * once, and SQLite's code and pages stay in the caches of the processor.
 *
 * Whoever is alone does not wait: the first callback of a turn that reads is answered at once, as often as it asks. Nothing is
 * read in a transaction of the host, where it would see what may yet be undone.
 */
export const createGroupRead = (database: SqliteDatabase, { runOutside }: HostTransactionGate): GroupRead => {
  let turn: 'free' | 'of this callback' | 'of another' = 'free';
  let isReadPlanned = false;
  const waiting: PendingRead[] = [];

  /** Reads what waits, one after the other, as long as there is time, and takes away what was read. */
  const readGroup = database.transaction((end: number) => {
    while (waiting.length > 0 && performance.now() < end) {
      waiting[0]?.run();
      waiting.shift();
    }
  });

  const readFor = (milliseconds: number): void => {
    if (waiting.length === 0) return;
    if (database.inTransaction) {
      for (const { postpone } of waiting.splice(0)) postpone();
      return;
    }
    try {
      readGroup(performance.now() + milliseconds);
    } catch {
      // There was no transaction: each that is not answered yet finds out by itself what is wrong.
      for (const { run } of waiting.splice(0)) run();
    }
  };

  /** Reads what waits at the end of this turn: once, however many ask for it. */
  const planRead = (): void => {
    if (isReadPlanned) return;
    isReadPlanned = true;
    setImmediate(() => {
      isReadPlanned = false;
      turn = 'free';
      readFor(maxGroupTime);
      if (waiting.length > 0) planRead();
    });
  };

  const claimTurn = (): void => {
    turn = 'of this callback';
    // A tick that a promise asks for comes once all promises of the callback are kept, and before the next callback.
    queueMicrotask(() =>
      nextTick(() => {
        turn = 'of another';
      }),
    );
    planRead();
  };

  const readOutside = <A>(work: () => A): Promise<Either<StoreError, A>> => {
    if (turn === 'of another') {
      return new Promise((resolve) => {
        waiting.push({
          run: () => resolve(attempt(work)),
          postpone: () => resolve(runOutside(() => readOutside(work))),
        });
      });
    }
    if (turn === 'free') claimTurn();
    return Promise.resolve(attempt(work));
  };

  return {
    read: (work) => (database.inTransaction ? runOutside(() => readOutside(work)) : readOutside(work)),
    flush: () => readFor(Number.POSITIVE_INFINITY),
  };
};
