import type { Position } from './port.ts';

/** The position of the n-th entry, for a store that counts entries from 1. */
export const countedPosition = (count: number): Position => `${count}` as Position;

/** The count in a `countedPosition`; 0 for undefined, and null for any other text. */
export const countAt = (position: Position | undefined): number | null => {
  if (position === undefined) return 0;
  const count = Number(position);
  return Number.isInteger(count) && count > 0 && countedPosition(count) === position ? count : null;
};
