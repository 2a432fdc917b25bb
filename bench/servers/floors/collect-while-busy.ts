/** Collects what is added in one turn of the event loop, or while the group before is being handled. */
export const collectWhileBusy = <A>(handle: (added: readonly A[]) => Promise<void>): ((one: A) => void) => {
  let collected: A[] = [];
  let isBusy = false;
  const flush = async (): Promise<void> => {
    while (collected.length > 0) {
      const added = collected;
      collected = [];
      await handle(added);
    }
    isBusy = false;
  };
  return (one) => {
    collected.push(one);
    if (isBusy) return;
    isBusy = true;
    setImmediate(flush);
  };
};
