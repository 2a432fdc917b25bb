import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Site } from '../serve/site.ts';

/** A message of a worker: it has started and needs its site, or it listens. */
export type WorkerMessage = 'started' | 'listening';

/** How a process ended: by itself, or by a signal. */
export type ProcessEnd = {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
};

/** Runs one process that serves the site, until it ends. When the signal comes, it is asked to end. */
export const runWorker = async (
  site: Site,
  { signal, onListening }: { readonly signal: AbortSignal; readonly onListening: () => void },
): Promise<ProcessEnd> => {
  const worker = cluster.fork();
  // It may have ended when it is written to: that is the `exit` below.
  worker.on('error', () => {});
  worker.on('message', (message: WorkerMessage) => {
    if (message === 'started') worker.send(site);
    else onListening();
  });
  const stop = () => worker.process.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const [code, killedBy] = await once(worker.process, 'exit');
  signal.removeEventListener('abort', stop);
  return { pid: worker.process.pid ?? 0, code, signal: killedBy };
};
