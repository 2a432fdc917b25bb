/** The figures of a server's event loop since the last request for them. Times are in milliseconds. */
export type EventLoopFigures = {
  /** The longest time that its thread worked between two turns of the event loop, by the thread's CPU clock. */
  readonly longestWork: number;
  readonly text: string;
};

export const formatMilliseconds = (milliseconds: number): string =>
  `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
