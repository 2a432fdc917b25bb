import { createHash } from 'node:crypto';

/** Numbers of [0, 1) that are the same for the same seed. */
export const randomFrom = (seed: number): (() => number) => {
  let drawn = 0;
  return () => {
    drawn += 1;
    return createHash('sha256').update(`${seed}/${drawn}`).digest().readUInt32BE() / 2 ** 32;
  };
};
