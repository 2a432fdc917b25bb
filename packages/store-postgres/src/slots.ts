/** Does work while a slot is free, or waits for one. The work that waits longest comes first. */
type Slots = <A>(work: () => Promise<A>) => Promise<A>;

export const createSlots = (count: number): Slots => {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
};
