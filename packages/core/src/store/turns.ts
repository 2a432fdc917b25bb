/** Yields to other work, because a store may answer without ever yielding. */
export const pause = (milliseconds?: number) =>
  new Promise<void>((resume) => setTimeout(resume, milliseconds));

/** Waits until no other caller has gone on in this turn of the event loop. The first one goes on at once. */
export type TakeTurn = () => Promise<void>;

/** Creates the turns of work that is done at once. However many callers there are, each turn of the event loop has one of them. */
export const createTurns = (): TakeTurn => {
  let next = Promise.resolve();
  return () => {
    const turn = next;
    next = turn.then(() => pause());
    return turn;
  };
};
