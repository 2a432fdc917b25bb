/** How many bytes of answers are made in one turn of the event loop, as far as the last ones tell. */
const bytesPerTurn = 4 * 1024 * 1024;

/** How large an answer is taken to be at least: so at most 32 are made in a turn. */
const minExpectedBytes = 128 * 1024;

export type Pacer = {
  /** Does some work now or in a later turn of the event loop, in the order in which it came. */
  readonly run: (work: () => void) => void;
  /** Takes note of how large an answer was. */
  readonly noteSize: (bytes: number) => void;
};

/** Spreads work over turns of the event loop: what is made in one turn is in memory together, whoever reads it. */
export const createPacer = (): Pacer => {
  let waiting: (() => void)[] = [];
  let planned = 0;
  let expected = minExpectedBytes;

  const next = () => {
    planned = 0;
    const batch = waiting;
    waiting = [];
    for (const work of batch) run(work);
  };

  const run = (work: () => void): void => {
    if (planned === 0) setImmediate(next);
    if (planned > 0 && planned + expected > bytesPerTurn) {
      waiting.push(work);
      return;
    }
    planned += expected;
    work();
  };

  return {
    run,
    noteSize: (bytes) => {
      expected = Math.max(minExpectedBytes, bytes, expected * 0.9);
    },
  };
};
