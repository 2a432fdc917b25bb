/**
 * How long signals count as one, in milliseconds. Ctrl-C in a terminal goes to npm and to the server at once, and npm hands its
 * own on to the server: nobody asked twice.
 */
const sameSignalWindow = 1_000;

/** Aborted by the first SIGTERM or SIGINT. One that comes a second later or after ends the process, as signals do. */
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
