import { nextTick } from 'node:process';

/** The bytes of responses that one turn of the event loop creates, as far as earlier responses predict them. */
const bytesPerTurn = 4 * 1024 * 1024;

/** The least size that is assumed for a response. So a turn creates at most 32. */
const minExpectedBytes = 128 * 1024;

/** The time in milliseconds after which the rest of a turn's work is postponed, so that other work has a turn in between. */
const timePerTurn = 5;

export type Pacer = {
  /** Runs work now or in a later turn of the event loop, in the order of the calls. */
  readonly run: (work: () => void) => void;
  /** Reports the size of a response. */
  readonly noteSize: (bytes: number) => void;
};

/**
 * Spreads work over turns of the event loop. Everything that one turn creates is in memory at the same time, and the turn
 * blocks all other work.
 */
export const createPacer = (): Pacer => {
  const waiting: (() => void)[] = [];
  let planned = 0;
  let turnEnds = 0;
  let expected = minExpectedBytes;

  const isFull = () => planned > 0 && (planned + expected > bytesPerTurn || performance.now() > turnEnds);

  const begin = (work: () => void): void => {
    if (planned === 0) {
      turnEnds = performance.now() + timePerTurn;
      setImmediate(() => {
        planned = 0;
        beginWaiting();
      });
    }
    planned += expected;
    work();
  };

  const beginWaiting = (): void => {
    if (isFull()) return;
    const work = waiting.shift();
    if (work === undefined) return;
    begin(work);
    // A tick that a microtask requests runs after all microtasks of the work. Only then is the duration of the work known.
    queueMicrotask(() => nextTick(beginWaiting));
  };

  return {
    run: (work) => {
      if (waiting.length > 0 || isFull()) waiting.push(work);
      else begin(work);
    },
    noteSize: (bytes) => {
      expected = Math.max(minExpectedBytes, bytes, expected * 0.9);
    },
  };
};
