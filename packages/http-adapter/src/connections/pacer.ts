import { nextTick } from 'node:process';

/** How many bytes of answers are made in one turn of the event loop, as far as the last ones tell. */
const bytesPerTurn = 4 * 1024 * 1024;

/** How large an answer is taken to be at least: so at most 32 are made in a turn. */
const minExpectedBytes = 128 * 1024;

/** How long the work of one turn may take, in milliseconds, before more is put off: others have a turn in between. */
const timePerTurn = 5;

export type Pacer = {
  /** Does some work now or in a later turn of the event loop, in the order in which it came. */
  readonly run: (work: () => void) => void;
  /** Takes note of how large an answer was. */
  readonly noteSize: (bytes: number) => void;
};

/**
 * Spreads work over turns of the event loop: what is made in one turn is in memory together, whoever reads it, and keeps all
 * others waiting.
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
    // A tick that a promise asks for comes once the work has done all that it does at once: only then is it known how long it took.
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
