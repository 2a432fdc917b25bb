import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type Outcome, storeFailure, toClinicalError, unknownPosition } from '../errors.ts';
import { isOneOf } from '../fhir/schema.ts';
import { ClinicalRecordsError, orThrow } from '../outcome.ts';
import { parseHistoryEntry, type ResourceHistoryEntry, toHistoryEntry } from '../records/history.ts';
import { isErasedVersion } from '../records/transact.ts';
import type { ChartResources } from '../resources.ts';
import type { ClinicalStore, FeedEntry, FeedRange } from '../store/port.ts';
import { pause } from '../store/turns.ts';
import { type FeedPosition, feedPositionOf, feedStart, parseFeedPosition } from '../store/versions.ts';

/**
 * Lists every version of every resource that was committed after the position `since`, or all versions if `since` is
 * left out. It ends when there are no more versions. Versions committed while it runs are listed, too.
 *
 * A host that keeps the position of the last version it has handled continues there, without loss or repeats. Throws a
 * `ClinicalRecordsError`. It is a `StoreFailure` if the store fails, and an `InvalidRequest` if no version has the
 * position `since`. Such a position is from another store, or was lost when a copy was restored.
 */
export type ChangeFeed<Resources = ChartResources> = (options?: {
  readonly since?: FeedPosition | undefined;
}) => AsyncGenerator<ResourceChange<Resources>, void>;

/** One version of a resource, as the feed lists it. */
export type ResourceChange<Resources = ChartResources> = {
  [Type in keyof Resources]: ChangeOf<Type, Resources[Type]>;
}[keyof Resources];

type ChangeOf<Type, Resource> = ResourceHistoryEntry<Resource> & {
  /** Where the version is in the feed: a text to keep. Pass it as `since` to continue after this version. */
  readonly position: FeedPosition;
  readonly resourceType: Type;
  readonly id: string;
  readonly patientId: string | null;
  /** Set if the record was erased, and the version has no content any more. Erase what you have kept of the record. */
  readonly isErased?: true;
};

/** One read returns at most this many versions, or this many characters of JSON. A single version can have 256 KiB. */
const pageLimits = { limit: 500, bytes: 1024 * 1024 };

type FeedResource = { readonly meta?: unknown };

type AnyResources = Readonly<Record<string, object>>;

/** An entry without the stored part of `meta`: the version and its time are beside the resource. */
const withoutMeta = ({ resource, ...entry }: ResourceHistoryEntry<FeedResource>) => {
  const { meta: _, ...elements } = resource ?? {};
  return { ...entry, resource: resource && elements };
};

const toResourceChanges = (
  entry: FeedEntry,
  types: readonly string[],
): readonly ResourceChange<AnyResources>[] =>
  isOneOf(types)(entry.type)
    ? [
        {
          ...withoutMeta(parseHistoryEntry<FeedResource>(toHistoryEntry(entry))),
          position: feedPositionOf(entry),
          resourceType: entry.type,
          id: entry.id,
          patientId: entry.patientId,
          ...(isErasedVersion(entry) && { isErased: true }),
        },
      ]
    : [];

/** The position of the last version that is committed now: a feed since then lists only later versions. */
export const readFeedEnd = async (store: ClinicalStore): Outcome<FeedPosition> =>
  pipe(
    await store.feedEnd(),
    E.mapLeft(toClinicalError),
    E.map((end) => (end === null ? feedStart : feedPositionOf(end))),
  );

const readFeedPage = async (store: ClinicalStore, place: Pick<FeedRange, 'position' | 'digest'>) =>
  pipe(
    await store.changesSince({ ...place, ...pageLimits }),
    E.mapLeft((error) => (error._tag === 'UnknownPosition' ? unknownPosition : error)),
  );

export const createChangeFeed = (store: ClinicalStore, types: readonly string[]): ChangeFeed<AnyResources> =>
  async function* ({ since = feedStart } = {}) {
    let place = parseFeedPosition(since);
    if (place === null) throw new ClinicalRecordsError(unknownPosition);
    let entries: readonly FeedEntry[];
    do {
      entries = await orThrow(readFeedPage(store, place));
      const isRepeated = place.position !== undefined && entries.at(-1)?.position === place.position;
      if (isRepeated) throw new ClinicalRecordsError(storeFailure('damaged-store', null));
      for (const entry of entries) yield* toResourceChanges(entry, types);
      place = { position: entries.at(-1)?.position };
      await pause();
    } while (entries.length > 0);
  };
