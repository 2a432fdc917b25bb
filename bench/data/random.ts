/** Random numbers in [0, 1) that are the same for the same seed, by mulberry32. */
export const randomFrom = (seed: number): (() => number) => {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export const below = (random: () => number, limit: number): number => Math.floor(random() * limit);

export const oneOf = <A>(random: () => number, choices: readonly A[]): A =>
  choices[below(random, choices.length)] as A;
