import type { ResponseStream } from '../http.ts';
import type { NamedVersion, VersionFeed } from './version-feed.ts';

/** Selects the versions that the sender may see now. */
export type SelectVisible = (versions: readonly NamedVersion[]) => Promise<readonly NamedVersion[]>;

/** The most versions that wait for a client. A client that falls further behind reads the chart again. */
const maxWaiting = 1000;

/** A block of the stream. One without data only moves the client's last id on, and keeps proxies from closing the connection. */
const blockOf = (id: string | null, event?: string, data?: object): string =>
  [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === null ? [] : [`id: ${id}`]),
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
    '\n',
  ].join('\n');

const idInterval = 15_000;

/** After so many milliseconds, what opened a stream is checked again. */
const checkInterval = 15_000;

/** The access of a sender to a chart. */
export type StreamAccess = {
  readonly selectVisible: SelectVisible;
  /** The end of its permission in milliseconds since 1970. */
  readonly expiresAt: number;
  /** A digest of the chart and of the limits there. Only who has the same continues after an event. */
  readonly digest: string;
  /** The types that it may see of the host, which cannot tell what has changed since an event. */
  readonly hostTypes: readonly string[];
};

/** The access with which a stream was opened, and the function that returns the present one, or null if there is none any more. */
export type StreamSender = {
  readonly access: StreamAccess;
  readonly renew: () => Promise<StreamAccess | null>;
};

/** Streams that begin together, such as after a restart, write their comments and end at different times. */
const jitter = (milliseconds: number): number => milliseconds * (1 - Math.random() / 10);

/** The new versions that wait for a client: of each resource the latest one, in the order of the feed. */
const createWaiting = () => {
  const versions = new Map<string, NamedVersion>();
  /** The latest of the missed versions: the feed can name them, too. */
  const missedVersions = new Map<string, number>();
  let wake = () => {};
  const recordPath = ({ resourceType, id }: NamedVersion): string => `${resourceType}/${id}`;

  const add = (added: readonly NamedVersion[]): void => {
    for (const version of added) {
      const name = recordPath(version);
      if (version.version !== undefined && version.version <= (missedVersions.get(name) ?? 0)) continue;
      versions.delete(name);
      versions.set(name, version);
    }
  };

  return {
    count: (): number => versions.size,

    add,

    /** Adds versions that were committed before those that wait. */
    addMissed: (missed: readonly NamedVersion[]): void => {
      const later = [...versions.values()];
      versions.clear();
      add(missed);
      for (const version of missed) missedVersions.set(recordPath(version), version.version ?? 0);
      add(later);
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
    /** The id of an event at a place of the feed. */
    idAt: (place: string | null = null): string | null => place && `${place}.${current.digest}`,
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

/** The options of a stream. */
type StreamOptions = {
  readonly sender: StreamSender;
  readonly lifetime: number;
  /** The id of the event after which it continues; null for a new stream. */
  readonly lastEventId: string | null;
  readonly onEnd: () => void;
};

/**
 * Creates a stream with an event for each new version in the chart of a patient. It begins with `resume` if it continues after the
 * last id, and otherwise with `open`: then a version of before the stream has no event. It ends with the feed, after its lifetime
 * in milliseconds, and when what opened it no longer holds. `onEnd` is called then. If versions cannot be read, or the sender
 * cannot be checked, it ends without an error: the client opens the next stream, and gets the error.
 * Source: HTML Standard, "Server-sent events".
 */
export const createEventStream = async (
  feed: VersionFeed,
  patientId: string,
  { sender, lifetime, lastEventId, onEnd }: StreamOptions,
): Promise<ResponseStream> => {
  const { digest, hostTypes } = sender.access;
  const [lastPlace = '', lastDigest] = lastEventId?.split('.') ?? [];
  const waiting = createWaiting();
  const { selectVisible, idAt, expiresIn, checkIn, isAllowed } = createCheckedAccess(sender);
  const livesUntil = performance.now() + jitter(lifetime);
  let idDue = performance.now() + jitter(idInterval);
  let isEnded = false;
  let stop = () => {};

  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    stop();
    onEnd();
    waiting.wake();
  };

  const stopped = (cause: unknown): never => {
    stop();
    throw cause;
  };

  const following = await feed.follow(patientId, {
    onVersions: (versions) => {
      waiting.add(versions);
      if (waiting.count() > maxWaiting) end();
      waiting.wake();
    },
    onEnd: end,
  });
  stop = following.stop;
  if (isEnded) stop();
  const missed = lastDigest === digest ? await feed.findMissed(patientId, lastPlace).catch(stopped) : null;
  const isResumed = missed !== null && missed.length <= maxWaiting;
  if (isResumed) waiting.addMissed(missed);

  const timeLeft = (): number => livesUntil - performance.now();

  const isOver = (): boolean => isEnded || expiresIn() <= 0;

  /** Waits until there are versions, an id or a check is due, or the stream ends. */
  const wait = async (): Promise<void> => {
    if (isOver() || waiting.count() > 0) return;
    await waiting.wait(Math.min(timeLeft(), expiresIn(), idDue - performance.now(), checkIn()));
  };

  /** The versions that wait, as far as the sender may see them, and a place up to which all were written or wait. */
  const takeNext = async () => {
    const place = feed.place();
    const versions = waiting.take();
    return { place, visible: versions.length === 0 ? versions : await selectVisible(versions) };
  };

  const renderVersion = ({ place, ...version }: NamedVersion): string =>
    blockOf(idAt(place), 'version', version);

  const writeEvents = async function* (): AsyncGenerator<string, void> {
    yield isResumed
      ? blockOf(null, 'resume', hostTypes.length === 0 ? {} : { readAgain: hostTypes })
      : blockOf(idAt(following.from), 'open', {});
    // Once in any case: a stream that ends before it has written what was missed would never let its client continue.
    do {
      await wait();
      if (isOver() || !(await isAllowed().catch(() => false)) || isOver()) return;
      const next = await takeNext().catch(() => null);
      if (next === null || isOver()) return;
      const { visible, place } = next;
      if (visible.length === 0 && performance.now() < idDue) continue;
      idDue = performance.now() + jitter(idInterval);
      yield visible.length === 0 ? blockOf(idAt(place)) : visible.map(renderVersion).join('');
    } while (timeLeft() > 0);
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
