import { orThrow } from '../outcome.ts';
import type { EntryRange, Position, RecordRef, StoredRecord, StoreOutcome } from '../store/port.ts';
import { pause } from '../store/turns.ts';

/**
 * The reasons why a version of a record is not as it was written.
 *
 * - `digest`: the version is not what was written, or it has moved in the feed, or versions before it are missing.
 * - `erasure`: its content was erased, and no correction says so.
 * - `position`: its position is also that of an earlier version or record.
 * - `order`: the records are not in the order in which the feed says that they were created.
 * - `state`: nothing can be derived from its state.
 * - `id`, `patientId`, `resource`, `index`: it is not what derives from the state.
 * - `lookup`: a read by its id does not return it as it is in the scan: an index of the database is damaged.
 * - `reference`: a record that the state refers to does not exist.
 * - `team`: a member occurs twice in the care team of a patient.
 */
export type DiscrepancyReason =
  | 'digest'
  | 'erasure'
  | 'position'
  | 'order'
  | 'state'
  | 'id'
  | 'patientId'
  | 'resource'
  | 'index'
  | 'lookup'
  | 'reference'
  | 'team';

/** A version of a record that is not as it was written, and the reason. */
export type Discrepancy = RecordRef & {
  /** The version, which counts from 1. */
  readonly version: number;
  /** The part of it that differs. */
  readonly what: DiscrepancyReason;
};

export const createDiscrepancy = (
  { type, id, version }: RecordRef & { readonly version: number },
  what: DiscrepancyReason,
): Discrepancy => ({ type, id, version, what });

/** How much is read between two pauses, and kept in memory at a time. */
const readLimits = { limit: 500, bytes: 1024 * 1024 };

type PositionedRecord = StoredRecord & { readonly position: Position };

/**
 * Reads the next page of the feed or of a scan, and the entries whose position repeats. A page that is not full is the
 * last one. Waiting for an empty page might never end while others write.
 */
export type PageReader<Entry> = () => Promise<{
  readonly entries: readonly Entry[];
  readonly misplaced: readonly Discrepancy[];
  readonly isLast: boolean;
}>;

/** Reads page after page, after a position. Rejects with a `ClinicalRecordsError`. */
export const createPageReader = <Entry extends PositionedRecord>(
  read: (since: EntryRange) => StoreOutcome<readonly Entry[]>,
  after?: Position,
): PageReader<Entry> => {
  let position = after;
  let seen: ReadonlySet<Position> = new Set();
  return async () => {
    const entriesRead = await orThrow(read({ position, ...readLimits }));
    await pause();
    const entries: Entry[] = [];
    const misplaced: Discrepancy[] = [];
    const seenBefore = new Set(seen);
    for (const entry of entriesRead) {
      if (seenBefore.has(entry.position)) misplaced.push(createDiscrepancy(entry, 'position'));
      else entries.push(entry);
      seenBefore.add(entry.position);
    }
    seen = new Set(entriesRead.map((entry) => entry.position));
    position = entriesRead.at(-1)?.position ?? position;
    const length = entriesRead.reduce(
      (sum, { state, resource }) => sum + state.length + (resource?.length ?? 0),
      0,
    );
    return {
      entries,
      misplaced,
      isLast: entries.length === 0 || (entriesRead.length < readLimits.limit && length < readLimits.bytes),
    };
  };
};
