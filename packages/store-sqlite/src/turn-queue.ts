/**
 * Waits for a turn of the event loop. Only one waiter continues in each turn, so that other callbacks run in between.
 */
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
