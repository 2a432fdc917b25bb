import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { CareTeam } from './care-team/model.ts';
import { ClinicalRecordsError } from './clinical-records-error.ts';
import { unknownPosition } from './errors.ts';
import { isOneOf } from './fhir/is-one-of.ts';
import { type ResourceType, resourceTypes } from './fhir/resource-type.ts';
import type { Goal } from './goal/model.ts';
import type { Immunization } from './immunization/model.ts';
import { parseHistoryEntry, type ResourceHistoryEntry, toHistoryEntry } from './records/history-entry.ts';
import { runTask } from './result.ts';
import type { ServiceRequest } from './service-request/model.ts';
import { type FeedPosition, feedPositionOf, feedStart, parseFeedPosition } from './store/feed-position.ts';
import type { ClinicalStore, FeedEntry, FeedRange } from './store/port.ts';

type ResourceOf = {
  readonly ServiceRequest: ServiceRequest;
  readonly Goal: Goal;
  readonly CareTeam: CareTeam;
  readonly Immunization: Immunization;
};

type ChangeOf<Type extends ResourceType> = ResourceHistoryEntry<ResourceOf[Type]> & {
  /** Its place in that order: a text to keep, which `since` takes to go on behind it. */
  readonly position: FeedPosition;
  /** Says of what type the `resource` is. */
  readonly resourceType: Type;
  readonly id: string;
  readonly patientId: string | null;
};

/** A version of a resource, in the order in which versions were committed. */
export type ResourceChange = { [Type in ResourceType]: ChangeOf<Type> }[ResourceType];

/** How much of the feed is read at a time: so many versions, or so long texts, since those of one version can have 256 KiB. */
const pageLimits = { limit: 500, bytes: 1024 * 1024 };

const isResourceType = isOneOf(resourceTypes);

const toResourceChanges = (entry: FeedEntry): readonly ResourceChange[] =>
  isResourceType(entry.type)
    ? [
        {
          ...parseHistoryEntry(toHistoryEntry(entry)),
          position: feedPositionOf(entry),
          resourceType: entry.type,
          id: entry.id,
          patientId: entry.patientId,
        } as ResourceChange,
      ]
    : [];

/**
 * Every version of every resource that was committed after the position `since`; from the first one, if it is not given. It
 * ends where there are no more: what is committed while it is read comes, too.
 *
 * A host that keeps the position of the last one it has dealt with goes on there, without loss or repeat.
 * Throws a `ClinicalRecordsError`: a `StoreFailure` where the store fails, and an `InvalidRequest` where nothing that was committed
 * has the position `since`: it is of another store, or was lost when a copy was restored.
 */
export type ChangeFeed = (options?: {
  readonly since?: FeedPosition | undefined;
}) => AsyncGenerator<ResourceChange, void>;

const entriesIn = (store: ClinicalStore, place: Pick<FeedRange, 'position' | 'digest'>) =>
  pipe(
    store.changesSince({ ...place, ...pageLimits }),
    TE.mapLeft((error) => (error._tag === 'UnknownPosition' ? unknownPosition : error)),
  );

export const createChangeFeed = (store: ClinicalStore): ChangeFeed =>
  async function* ({ since = feedStart } = {}) {
    let place = parseFeedPosition(since);
    if (place === null) throw new ClinicalRecordsError(unknownPosition);
    let entries: readonly FeedEntry[];
    do {
      entries = await runTask(entriesIn(store, place));
      yield* entries.flatMap(toResourceChanges);
      place = { position: entries.at(-1)?.position };
    } while (entries.length > 0);
  };
