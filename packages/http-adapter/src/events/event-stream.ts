import type { ResponseStream } from '../http.ts';
import type { NamedVersion, ReadNewVersions } from './chart-versions.ts';

/** How a stream of events goes on, and when it ends. */
export type StreamOptions = {
  /** Ends all streams, for example when the server stops. */
  readonly signal: AbortSignal;
  /** How often new versions are looked for, in milliseconds. */
  readonly interval: number;
  /** When a stream ends, in milliseconds: a client whose token is no longer valid then gets no new one. */
  readonly lifetime: number;
};

/** Waits, or returns at once when the signal comes. */
const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });

const eventOf = (version: NamedVersion): string => `event: version\ndata: ${JSON.stringify(version)}\n\n`;

/** A line that clients ignore. It keeps proxies from closing a connection on which nothing happens. */
const comment = ': \n\n';

const commentInterval = 15_000;

/** Ends without an error if the versions cannot be read: the client opens the next stream, and gets the error. */
const writeEvents = async function* (
  readNewVersions: ReadNewVersions,
  { signal, interval, lifetime }: StreamOptions,
): AsyncGenerator<string, void> {
  const began = performance.now();
  let written = began;
  yield 'event: open\ndata: {}\n\n';
  for (;;) {
    await wait(interval, signal);
    const now = performance.now();
    if (signal.aborted || now - began > lifetime) return;
    const versions = await readNewVersions().catch(() => null);
    if (versions === null) return;
    if (versions.length === 0 && now - written < commentInterval) continue;
    written = now;
    yield versions.length === 0 ? comment : versions.map(eventOf).join('');
  }
};

/**
 * Creates a stream with an event for each new version. A version of before the stream has none. `onEnd` is called when it
 * ends. Source: HTML Standard, "Server-sent events".
 */
export const createEventStream = (
  readNewVersions: ReadNewVersions,
  options: StreamOptions,
  onEnd: () => void,
): ResponseStream => {
  const ended = new AbortController();
  ended.signal.addEventListener('abort', onEnd);
  const events = writeEvents(readNewVersions, {
    ...options,
    signal: AbortSignal.any([options.signal, ended.signal]),
  });
  return {
    next: async () => {
      const result = await events.next();
      if (result.done === true) ended.abort();
      return result;
    },
    // A generator that waits would notice its end only once it has something to write.
    return: async () => {
      ended.abort();
      await events.return();
    },
  };
};
