import { nextTick } from 'node:process';
import type { RecordRef, StoredRecord, StoreError, StoreOutcome } from '@clinical-records/core/store';
import { type Either, isLeft, isRight, right } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from './database.ts';
import type { HostTransactionGate } from './host-transaction.ts';
import { attempt, isLocked, waitForLock } from './store-errors.ts';

export type GroupRead = {
  /** Returns the result of some work: at once, or at the end of the turn. */
  readonly read: <A>(work: () => A) => Promise<Either<StoreError, A>>;
  /** Does all waiting reads now. */
  readonly flush: () => void;
};

/** Work that waits for the end of the turn. It is then run, or postponed until the host's transaction is over. */
type PendingRead = { readonly run: () => void; readonly postpone: () => void };

/** The reads of one turn may take this many milliseconds together. The rest is read in the next turn. */
const maxGroupTime = 10;

/**
 * Reads everything that is requested in one turn of the event loop at its end, in one transaction. So the file is
 * locked once, and SQLite's code and pages stay in the caches of the processor.
 *
 * A single caller does not wait: the first callback of a turn that reads gets its results at once, for each of its
 * reads. Nothing is read in a transaction of the host, because it would show changes that may be rolled back.
 */
export const createGroupRead = (database: SqliteDatabase, { runOutside }: HostTransactionGate): GroupRead => {
  let turn: 'free' | 'of this callback' | 'of another' = 'free';
  let isReadPlanned = false;
  const waiting: PendingRead[] = [];

  /** Runs waiting reads one after the other until the time is over, and removes them from the queue. */
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
      // The transaction did not begin. So each remaining read fails by itself and reports the reason.
      for (const { run } of waiting.splice(0)) run();
    }
  };

  /** Does the waiting reads at the end of this turn, once for all of them. */
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
    // A tick that is requested in a microtask runs after all microtasks of the callback, and before the next callback.
    queueMicrotask(() =>
      nextTick(() => {
        turn = 'of another';
      }),
    );
    planRead();
  };

  const readNow = <A>(work: () => A): Promise<Either<StoreError, A>> => {
    const result = attempt(work);
    return isLocked(result) ? waitForLock(database, () => attempt(work)) : Promise.resolve(result);
  };

  const read = <A>(work: () => A): Promise<Either<StoreError, A>> => {
    if (turn === 'of another') {
      return new Promise((resolve) => {
        waiting.push({
          run: () => resolve(readNow(work)),
          postpone: () => resolve(runOutside(() => read(work))),
        });
      });
    }
    if (database.inTransaction) return runOutside(() => read(work));
    if (turn === 'free') claimTurn();
    return readNow(work);
  };

  return {
    read,
    flush: () => readFor(Number.POSITIVE_INFINITY),
  };
};

/** Reads of records, which are looked up together. */
type RecordLookup = {
  readonly read: (ref: RecordRef) => StoreOutcome<StoredRecord | null>;
  /** Requests all waiting reads now. */
  readonly flush: () => void;
};

type PendingLookup = {
  readonly ref: RecordRef;
  readonly resolve: (
    result: Awaited<ReturnType<RecordLookup['read']>> | ReturnType<RecordLookup['read']>,
  ) => void;
};

/** The most records that are looked up with one statement, because a group of reads ends only between statements. */
const maxLookups = 256;

/**
 * Looks up with one statement all records that one callback requests at once, and those that others request before the reads
 * of the turn are done.
 */
export const createRecordLookup = (
  { read }: GroupRead,
  {
    readCurrent,
    readCurrentOf,
  }: {
    readonly readCurrent: (ref: RecordRef) => StoredRecord | null;
    readonly readCurrentOf: (refs: readonly RecordRef[]) => readonly (StoredRecord | null)[];
  },
): RecordLookup => {
  const waiting: PendingLookup[] = [];

  const lookUp = (): void => {
    const batch = waiting.splice(0, maxLookups);
    const found = attempt(() => readCurrentOf(batch.map(({ ref }) => ref)));
    for (const [index, { ref, resolve }] of batch.entries()) {
      // One that cannot be read does not harm the others.
      resolve(isRight(found) ? right(found.right[index] ?? null) : read(() => readCurrent(ref)));
    }
    if (waiting.length > 0) void start();
  };

  const start = async (): Promise<void> => {
    const done = await read(lookUp);
    if (isLeft(done)) for (const { resolve } of waiting.splice(0)) resolve(done);
  };

  return {
    read: (ref) =>
      new Promise((resolve) => {
        if (waiting.push({ ref, resolve }) === 1) queueMicrotask(start);
      }),
    flush: () => void start(),
  };
};
