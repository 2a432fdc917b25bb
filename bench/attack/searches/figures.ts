/** What a server says of its event loop since it was last asked. Times are in milliseconds. */
export type EventLoopFigures = {
  /** The longest time for which its thread worked, by its own clock, without a turn of the event loop. */
  readonly longestWork: number;
  readonly text: string;
};

export const formatMilliseconds = (milliseconds: number): string =>
  `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
