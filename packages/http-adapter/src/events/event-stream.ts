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

/** After so many milliseconds, what opened a stream is checked again. */
const checkInterval = 15_000;

/** The versions that a sender may see, and the end of its permission in milliseconds since 1970. */
export type StreamAccess = { readonly selectVisible: SelectVisible; readonly expiresAt: number };

/** The access with which a stream was opened, and the function that returns the present one, or null if there is none any more. */
export type StreamSender = {
  readonly access: StreamAccess;
  readonly renew: () => Promise<StreamAccess | null>;
};

/** Streams that begin together, such as after a restart, write their comments and end at different times. */
const jitter = (milliseconds: number): number => milliseconds * (1 - Math.random() / 10);

/** The new versions that wait for a client: of each resource the latest one. */
const createWaiting = () => {
  const versions = new Map<string, NamedVersion>();
  let wake = () => {};
  return {
    count: (): number => versions.size,

    add: (added: readonly NamedVersion[]): void => {
      for (const version of added) versions.set(`${version.resourceType}/${version.id}`, version);
    },

    take: (): readonly NamedVersion[] => {
      const taken = [...versions.values()];
      versions.clear();
      return taken;
    },

    /** Waits so many milliseconds, or until `wake` is called. */
    wait: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, milliseconds));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),

    wake: (): void => wake(),
  };
};

/** The access of a sender. It is checked again when that is due. */
const createCheckedAccess = ({ access, renew }: StreamSender) => {
  let current = access;
  let checkAt = performance.now() + jitter(checkInterval);
  return {
    selectVisible: (versions: readonly NamedVersion[]) => current.selectVisible(versions),
    expiresIn: (): number => current.expiresAt - Date.now(),
    checkIn: (): number => checkAt - performance.now(),

    /** Whether the sender may go on. */
    isAllowed: async (): Promise<boolean> => {
      if (performance.now() < checkAt) return true;
      checkAt = performance.now() + jitter(checkInterval);
      const renewed = await renew();
      if (renewed === null) return false;
      current = renewed;
      return true;
    },
  };
};

/**
 * Creates a stream with an event for each new version in the chart of a patient. A version of before the stream has none. It ends
 * with the feed, after its lifetime in milliseconds, and when what opened it no longer holds. `onEnd` is called then. If versions
 * cannot be read, or the sender cannot be checked, it ends without an error: the client opens the next stream, and gets the error.
 * Source: HTML Standard, "Server-sent events".
 */
export const createEventStream = async (
  feed: VersionFeed,
  patientId: string,
  {
    sender,
    lifetime,
    onEnd,
  }: { readonly sender: StreamSender; readonly lifetime: number; readonly onEnd: () => void },
): Promise<ResponseStream> => {
  const waiting = createWaiting();
  const { selectVisible, expiresIn, checkIn, isAllowed } = createCheckedAccess(sender);
  const livesUntil = performance.now() + jitter(lifetime);
  let commentAt = performance.now() + jitter(commentInterval);
  let isEnded = false;
  let stop = () => {};

  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    stop();
    onEnd();
    waiting.wake();
  };

  stop = await feed.follow(patientId, {
    onVersions: (versions) => {
      waiting.add(versions);
      if (waiting.count() > maxWaiting) end();
      waiting.wake();
    },
    onEnd: end,
  });
  if (isEnded) stop();

  const timeLeft = (): number => Math.min(livesUntil - performance.now(), expiresIn());

  const isOver = (): boolean => isEnded || timeLeft() <= 0;

  /** Waits until there are versions, a comment or a check is due, or the stream ends. */
  const wait = async (): Promise<void> => {
    if (isOver() || waiting.count() > 0) return;
    await waiting.wait(Math.min(timeLeft(), commentAt - performance.now(), checkIn()));
  };

  const takeVisible = async (): Promise<readonly NamedVersion[]> => {
    const versions = waiting.take();
    return versions.length === 0 ? versions : selectVisible(versions);
  };

  const writeEvents = async function* (): AsyncGenerator<string, void> {
    yield 'event: open\ndata: {}\n\n';
    while (!isOver()) {
      await wait();
      if (isOver() || !(await isAllowed().catch(() => false)) || isOver()) return;
      const versions = await takeVisible().catch(() => null);
      if (versions === null || isOver()) return;
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
