import {
  type ClinicalRecords,
  ClinicalRecordsError,
  type FeedPosition,
  type ResourceChange,
} from '@clinical-records/core';
import type { EventIds } from './event-ids.ts';

/** A version of a resource, as an event names it. */
export type NamedVersion = {
  readonly resourceType: string;
  readonly id: string;
  /** Undefined for a resource of the host, whose versions are not known here. */
  readonly version?: number;
  /** Where the version is in the feed, as an id says it. */
  readonly place?: string;
};

/** A stream that follows a chart. */
type Follower = {
  /** Receives versions that are new in the chart. */
  readonly onVersions: (versions: readonly NamedVersion[]) => void;
  /** The feed ends, because it cannot be read or the host stops. */
  readonly onEnd: () => void;
};

/** The new versions in the charts that somebody follows. */
export type VersionFeed = {
  /**
   * Follows the chart of a patient. Each version that is committed after the promise resolves is named, and none that was committed
   * before the call. Rejects if the feed cannot be read.
   */
  readonly follow: (patientId: string, follower: Follower) => Promise<Following>;
  /** The versions in the chart of a patient since a place; null if these are too many, or there is no such place. */
  readonly findMissed: (patientId: string, since: string) => Promise<readonly NamedVersion[] | null>;
  /** The place up to which all followers got the versions of their charts; null before the first one. */
  readonly place: () => string | null;
};

/** A chart that is followed from a place on. */
type Following = { readonly from: string | null; readonly stop: () => void };

export type FeedReads = Pick<ClinicalRecords, 'changes' | 'feedEnd'>;

/** The time in milliseconds after which a read is continued in another turn of the event loop. */
const timePerTurn = 5;

/** How many streams write in one turn of the event loop. */
const streamsPerTurn = 50;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The streams that follow a chart. */
const createFollowers = () => {
  const charts = new Map<string, Set<Follower>>();
  return {
    isEmpty: (): boolean => charts.size === 0,

    add: (patientId: string, follower: Follower): void => {
      const followers = charts.get(patientId) ?? new Set();
      charts.set(patientId, followers.add(follower));
    },

    remove: (patientId: string, follower: Follower): void => {
      const followers = charts.get(patientId);
      followers?.delete(follower);
      if (followers?.size === 0) charts.delete(patientId);
    },

    endAll: (): void => {
      const followers = [...charts.values()].flatMap((chart) => [...chart]);
      for (const { onEnd } of followers) onEnd();
      charts.clear();
    },

    /** Whether a change is one of a resource that can be read, in a chart that somebody follows. */
    isFollowed: ({ patientId, resource }: ResourceChange): boolean =>
      patientId !== null && resource !== null && charts.has(patientId),

    nameVersions: async (versions: ReadonlyMap<string, readonly NamedVersion[]>): Promise<void> => {
      let count = 0;
      for (const [patientId, named] of versions) {
        for (const follower of charts.get(patientId) ?? []) {
          follower.onVersions(named);
          count += 1;
          if (count % streamsPerTurn === 0) await nextTurn();
        }
      }
    },
  };
};

/** Names the versions since a position to all followers of their charts. Returns the position of the last version that was read. */
const nameChanges = async (
  { changes, ids }: Pick<FeedReads, 'changes'> & { readonly ids: EventIds },
  since: FeedPosition | undefined,
  { isEmpty, isFollowed, nameVersions }: ReturnType<typeof createFollowers>,
): Promise<FeedPosition | undefined> => {
  let last = since;
  let versions = new Map<string, NamedVersion[]>();
  let turnEnds = performance.now() + timePerTurn;
  for await (const change of changes({ since })) {
    last = change.position;
    if (isFollowed(change)) {
      const { patientId, resourceType, id, version } = change;
      const chart = `${patientId}`;
      const named = versions.get(chart) ?? [];
      versions.set(chart, named);
      named.push({ resourceType, id, version, place: await ids.write(change.position) });
    }
    if (performance.now() < turnEnds) continue;
    await nameVersions(versions);
    versions = new Map();
    await nextTurn();
    turnEnds = performance.now() + timePerTurn;
    if (isEmpty()) break;
  }
  await nameVersions(versions);
  return last;
};

/** The most versions, in all charts, that are looked at for a stream that continues. */
const maxMissed = 2000;

const isUnknownPosition = (cause: unknown): boolean =>
  cause instanceof ClinicalRecordsError && cause.tag === 'InvalidRequest';

/** Finds the versions in a chart since a place. */
const createFindMissed =
  (changes: FeedReads['changes'], ids: EventIds): VersionFeed['findMissed'] =>
  async (patientId, place) => {
    const since = await ids.read(place);
    if (since === null) return null;
    const missed: NamedVersion[] = [];
    let count = 0;
    try {
      for await (const change of changes({ since })) {
        count += 1;
        if (count > maxMissed) return null;
        const { resourceType, id, version, position, resource } = change;
        if (change.patientId !== patientId || resource === null) continue;
        missed.push({ resourceType, id, version, place: await ids.write(position) });
      }
    } catch (cause) {
      if (isUnknownPosition(cause)) return null;
      throw cause;
    }
    return missed;
  };

/** Runs a function as soon as it is not running: once for all who ask until then. */
const oneAtATime = (run: () => Promise<void>): (() => void) => {
  let running: Promise<void> = Promise.resolve();
  let isNextPlanned = false;
  return () => {
    if (isNextPlanned) return;
    isNextPlanned = true;
    running = running.then(() => {
      isNextPlanned = false;
      return run();
    });
  };
};

/**
 * Creates the one reader of the feed for all who follow a chart. As long as nobody does, it reads nothing. It looks for the end of
 * the feed every `interval` milliseconds, and reads the versions that are new. It ends with the signal.
 */
export const createVersionFeed = (
  { changes, feedEnd }: FeedReads,
  {
    interval,
    signal,
    ids,
  }: { readonly interval: number; readonly signal: AbortSignal; readonly ids: EventIds },
): VersionFeed => {
  const followers = createFollowers();
  let joining: { readonly begin: () => void; readonly reject: (cause: unknown) => void }[] = [];
  let end: FeedPosition | undefined;
  let since: FeedPosition | undefined;
  let place: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const endAll = (): void => {
    followers.endAll();
    clearTimeout(timer);
  };
  signal.addEventListener('abort', endAll);

  const continueAfter = async (position: FeedPosition | undefined): Promise<void> => {
    since = position;
    place = position === undefined ? null : await ids.write(position);
  };

  const nameNew = async (): Promise<void> => {
    const previousEnd = end;
    end = await feedEnd();
    if (followers.isEmpty()) return continueAfter(end);
    // Mostly, nobody has written anything in any chart.
    if (end === previousEnd) return;
    const last = await nameChanges({ changes, ids }, since, followers);
    // The feed has other versions, too, such as those of the directory.
    await continueAfter(last === since || followers.isEmpty() ? end : last);
  };

  const readNext = oneAtATime(async () => {
    clearTimeout(timer);
    const joiners = joining;
    joining = [];
    try {
      await nameNew();
      for (const { begin } of joiners) begin();
    } catch (cause) {
      endAll();
      for (const { reject } of joiners) reject(cause);
    }
    if (signal.aborted) endAll();
    if (!followers.isEmpty()) timer = setTimeout(readNext, interval);
  });

  return {
    follow: (patientId, follower) =>
      new Promise((resolve, reject) => {
        const begin = () => {
          followers.add(patientId, follower);
          const stop = () => {
            followers.remove(patientId, follower);
            if (followers.isEmpty()) clearTimeout(timer);
          };
          resolve({ from: place, stop });
        };
        joining.push({ begin, reject });
        readNext();
      }),
    findMissed: createFindMissed(changes, ids),
    place: () => place,
  };
};
