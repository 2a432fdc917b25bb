import type { ResponseStream } from '../http.ts';
import type { NamedVersion, VersionFeed } from './version-feed.ts';

/** Selects the versions that the sender may see now. */
export type SelectVisible = (versions: readonly NamedVersion[]) => Promise<readonly NamedVersion[]>;

/** The most versions that wait for a client. A client that falls further behind reads the chart again. */
const maxWaiting = 1000;

const eventOf = (version: NamedVersion): string => `event: version\ndata: ${JSON.stringify(version)}\n\n`;

/** A line that clients ignore. It keeps proxies from closing a connection on which nothing happens. */
const comment = ': \n\n';

const commentInterval = 15_000;

/** Streams that begin together, such as after a restart, write their comments and end at different times. */
const jitter = (milliseconds: number): number => milliseconds * (1 - Math.random() / 10);

/**
 * Creates a stream with an event for each new version in the chart of a patient. A version of before the stream has none. It ends
 * with the feed, or after its lifetime in milliseconds, so that a client whose token is no longer valid gets no new one. `onEnd`
 * is called then. If versions cannot be read, it ends without an error: the client opens the next stream, and gets the error.
 * Source: HTML Standard, "Server-sent events".
 */
export const createEventStream = async (
  feed: VersionFeed,
  patientId: string,
  selectVisible: SelectVisible,
  lifetime: number,
  onEnd: () => void,
): Promise<ResponseStream> => {
  const waiting = new Map<string, NamedVersion>();
  const endsAt = performance.now() + jitter(lifetime);
  let commentAt = performance.now() + jitter(commentInterval);
  let isEnded = false;
  let wake = () => {};
  let stop = () => {};

  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    stop();
    onEnd();
    wake();
  };

  stop = await feed.follow(patientId, {
    onVersions: (versions) => {
      for (const version of versions) waiting.set(`${version.resourceType}/${version.id}`, version);
      if (waiting.size > maxWaiting) end();
      wake();
    },
    onEnd: end,
  });
  if (isEnded) stop();

  /** Waits until there are versions, a comment is due, or the stream ends. */
  const wait = async (): Promise<void> => {
    if (isEnded || waiting.size > 0) return;
    const until = Math.min(endsAt, commentAt);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, until - performance.now()));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };

  const takeVisible = async (): Promise<readonly NamedVersion[]> => {
    const versions = [...waiting.values()];
    waiting.clear();
    return versions.length === 0 ? versions : selectVisible(versions);
  };

  const writeEvents = async function* (): AsyncGenerator<string, void> {
    yield 'event: open\ndata: {}\n\n';
    while (!isEnded && performance.now() < endsAt) {
      await wait();
      if (isEnded) return;
      const versions = await takeVisible().catch(() => null);
      if (versions === null) return;
      if (versions.length === 0 && performance.now() < commentAt) continue;
      commentAt = performance.now() + jitter(commentInterval);
      yield versions.length === 0 ? comment : versions.map(eventOf).join('');
    }
  };

  const events = writeEvents();
  return {
    next: async () => {
      const result = await events.next();
      if (result.done === true) end();
      return result;
    },
    // A generator that waits notices its end only when it is woken.
    return: async () => {
      end();
      await events.return();
    },
  };
};
