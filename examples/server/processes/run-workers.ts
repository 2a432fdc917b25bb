import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../command/command-error.ts';
import { stopSignals } from '../command/stop-signal.ts';
import { createLog } from '../serve/log.ts';
import { claimPort, originOf } from '../serve/serve.ts';
import type { Site } from '../serve/site.ts';
import { maxEnds, restartDelay } from './restart-delay.ts';
import { type ProcessEnd, runWorker } from './run-worker.ts';

type Workers = {
  readonly count: number;
  readonly signal: AbortSignal;
  /** Is called once all processes listen. */
  readonly onListening: (origin: string) => void;
};

const endText = ({ pid, code, signal }: ProcessEnd) =>
  `process ${pid} ended ${signal === null ? `with ${code}` : `by ${signal}`}`;

/** Whether a process that was asked to end did so. Before it can handle the signal, the signal ends it. */
const hasStopped = ({ code, signal }: ProcessEnd) =>
  code === 0 || (signal !== null && stopSignals.includes(signal));

/**
 * Serves the site by several processes until the signal comes, and replaces those that end. Throws a `CommandError` if
 * one cannot start, if they end again and again, or if one fails while it stops.
 */
export const runWorkers = async (site: Site, { count, signal, onListening }: Workers): Promise<void> => {
  const log = createLog(site.log);
  const shared = { ...site, port: await claimPort(site), eventSecret: randomUUID() };
  cluster.setupPrimary({ exec: fileURLToPath(new URL('worker.ts', import.meta.url)), args: [] });
  // In the other policy, a connection that is on its way to a process that ends is never answered.
  cluster.schedulingPolicy = cluster.SCHED_NONE;

  const failure = new AbortController();
  const stop = AbortSignal.any([signal, failure.signal]);
  let listening = 0;

  const keepRunning = async () => {
    const ends: number[] = [];
    let hasListened = false;
    while (!stop.aborted) {
      const end = await runWorker(shared, {
        signal: stop,
        onListening: () => {
          if (hasListened) return;
          hasListened = true;
          listening += 1;
          if (listening === count) onListening(originOf(shared));
        },
      });
      if (stop.aborted) {
        if (hasStopped(end)) return;
        throw new CommandError(`${endText(end)} while it was stopping`, 'failure');
      }
      if (!hasListened) throw new CommandError(`${endText(end)} before it listened`, 'failure');
      ends.push(performance.now());
      const delay = restartDelay(ends, performance.now());
      if (delay === null) {
        throw new CommandError(
          `${endText(end)}, after ${maxEnds} others in its place within a minute`,
          'failure',
        );
      }
      log.sentence(`${endText(end)}; another one replaces it`, 'warn');
      await setTimeout(delay, undefined, { signal: stop }).catch(() => {});
    }
  };

  const results = await Promise.allSettled(
    Array.from({ length: count }, () =>
      keepRunning().catch((cause) => {
        failure.abort();
        throw cause;
      }),
    ),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};
