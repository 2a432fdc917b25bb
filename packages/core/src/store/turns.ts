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

/** The same turns, but none is the present one: that is for what was done in it before. */
export const createLaterTurns =
  (takeTurn: TakeTurn): TakeTurn =>
  async () => {
    await pause();
    await takeTurn();
  };

/** The work of a turn: a hundred texts, or half a MiB of them. */
const turnLimits = { texts: 100, length: 512 * 1024 } as const;

/** Whether texts are the work of a whole turn. */
export const isLarge = (texts: readonly string[]): boolean =>
  texts.reduce((length, text) => length + text.length, 0) >= turnLimits.length;

/** Creates the pace of a piece of work: it waits for another turn once a turn has as many texts as it may. */
export const createPace = (takeTurn: TakeTurn): ((text: { readonly length: number }) => Promise<void>) => {
  let [texts, length] = [0, 0];
  return async (text) => {
    texts += 1;
    length += text.length;
    if (texts < turnLimits.texts && length < turnLimits.length) return;
    [texts, length] = [0, 0];
    await takeTurn();
  };
};
