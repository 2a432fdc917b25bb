/** Waits so many milliseconds, or until the signal is aborted. */
export const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resume) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resume();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
