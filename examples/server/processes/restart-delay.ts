/** Ends that are longer ago than this many milliseconds do not count. */
const window = 60_000;

/** More ends than these within the window are too many. */
export const maxEnds = 6;

const firstDelay = 100;

/**
 * The milliseconds until a process is replaced, if it and those before it in its place ended at these times. The first
 * is replaced at once, and each further one after twice as long. Null if too many ended.
 */
export const restartDelay = (ends: readonly number[], now: number): number | null => {
  const recent = ends.filter((end) => now - end < window).length;
  if (recent > maxEnds) return null;
  return recent <= 1 ? 0 : firstDelay * 2 ** (recent - 2);
};
