/** Waits for a turn of the event loop. Each turn is that of one who waits: so however many there are, others come in between. */
export type NextTurn = () => Promise<void>;

export const createTurnQueue = (): NextTurn => {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
};
