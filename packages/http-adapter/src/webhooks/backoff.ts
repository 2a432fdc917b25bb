/** How long failed deliveries wait, in milliseconds. */
export type Backoff = {
  /** After the first failure. It doubles with each further one. */
  readonly firstDelay: number;
  /** No delay is longer. */
  readonly longestDelay: number;
};

/**
 * The delay after the given number of failed attempts, in whole milliseconds: twice as long after each, up to the longest.
 * Of that, a random part of at most a half is left out, so that deliveries that failed together are not sent again together.
 */
export const delayAfter = (
  attempts: number,
  { firstDelay, longestDelay }: Backoff,
  random: number,
): number => {
  const delay = Math.min(longestDelay, firstDelay * 2 ** (attempts - 1));
  return Math.ceil(delay * (1 - random / 2));
};
