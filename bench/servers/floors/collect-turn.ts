/** Collects what is added in one turn of the event loop, and handles all of it at its end. */
export const collectTurn = <A>(handle: (added: readonly A[]) => void): ((one: A) => void) => {
  let collected: A[] = [];
  const flush = (): void => {
    const added = collected;
    collected = [];
    handle(added);
  };
  return (one) => {
    if (collected.push(one) === 1) setImmediate(flush);
  };
};
