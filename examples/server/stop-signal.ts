/** Aborted by the first SIGTERM or SIGINT; the second ends the process, as signals do. */
export const stopSignal = (): AbortSignal => {
  const controller = new AbortController();
  const stop = () => {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    controller.abort();
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  return controller.signal;
};
