import type { Position } from './port.ts';

/** The position of the entry that is the first, second … of all: for a store that counts them from 1. */
export const countedPosition = (count: number): Position => `${count}` as Position;

/** The count that a `countedPosition` says, 0 where there is none; null for any other text. */
export const countAt = (position: Position | undefined): number | null => {
  if (position === undefined) return 0;
  const count = Number(position);
  return Number.isInteger(count) && count > 0 && countedPosition(count) === position ? count : null;
};
