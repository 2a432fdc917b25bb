/**
 * Signals within this many milliseconds count as one. Ctrl-C in a terminal sends a signal to npm and to the server, and
 * npm forwards its own to the server.
 */
const sameSignalWindow = 1_000;

/** The signals that stop the server: SIGHUP is that of a closed terminal. */
export const stopSignals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/** Is aborted by the first signal that stops the server. A signal more than a second later ends the process. */
export const createStopSignal = (): AbortSignal => {
  const controller = new AbortController();
  let first: number | null = null;
  const stop = (signal: NodeJS.Signals) => {
    first ??= performance.now();
    controller.abort();
    if (performance.now() - first < sameSignalWindow) return;
    for (const one of stopSignals) process.off(one, stop);
    process.kill(process.pid, signal);
  };
  for (const one of stopSignals) process.on(one, stop);
  return controller.signal;
};
