/**
 * Signals within this many milliseconds count as one. Ctrl-C in a terminal sends a signal to npm and to the server, and
 * npm forwards its own to the server.
 */
const sameSignalWindow = 1_000;

/** Is aborted by the first SIGTERM or SIGINT. A signal more than a second later ends the process. */
export const createStopSignal = (): AbortSignal => {
  const controller = new AbortController();
  let first: number | null = null;
  const stop = (signal: NodeJS.Signals) => {
    first ??= performance.now();
    controller.abort();
    if (performance.now() - first < sameSignalWindow) return;
    process.off('SIGTERM', stop).off('SIGINT', stop);
    process.kill(process.pid, signal);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  return controller.signal;
};
