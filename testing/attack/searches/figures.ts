import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

/** The figures of a server's event loop since the last request for them. Times are in milliseconds. */
export type EventLoopFigures = {
  /** The longest time that its thread worked between two turns of the event loop, by the thread's CPU clock. */
  readonly longestWork: number;
  readonly text: string;
};

export const formatMilliseconds = (milliseconds: number): string =>
  `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;

/** The time of the thread by its CPU clock, which excludes other processes. */
const threadTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The CPU time of a loop that is always the same: how fast this machine is at the moment. */
export const calibrate = (): number => {
  const before = threadTime();
  let sum = 0;
  for (let at = 0; at < 20_000_000; at += 1) sum = (Math.imul(sum, 31) + at) | 0;
  if (sum === 1) throw new Error('The loop was left out.');
  return threadTime() - before;
};

/** Watches the event loop of this process. The returned function takes the figures since the last call. */
export const watchEventLoop = (): (() => EventLoopFigures) => {
  /** The delay of the event loop by the wall clock, which includes delays by other processes of the machine. */
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();

  let longestPause = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestPause = Math.max(longestPause, duration);
  }).observe({ entryTypes: ['gc'] });

  /** The longest work between two turns. */
  let longestWork = 0;
  let before = threadTime();
  const watch = (): void => {
    const now = threadTime();
    longestWork = Math.max(longestWork, now - before);
    before = now;
    setTimeout(watch, 1);
  };
  watch();

  return () => {
    const text = [
      `at work at most ${formatMilliseconds(longestWork)} (the longest garbage collection ${formatMilliseconds(longestPause)})`,
      `by the clock on the wall p99 ${formatMilliseconds(delay.percentile(99) / 1e6)}, p99.9 ${formatMilliseconds(delay.percentile(99.9) / 1e6)}, max ${formatMilliseconds(delay.max / 1e6)}`,
    ].join(', ');
    const measured = { longestWork, text };
    [longestWork, longestPause, before] = [0, 0, threadTime()];
    delay.reset();
    return measured;
  };
};
