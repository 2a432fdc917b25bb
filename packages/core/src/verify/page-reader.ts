import { orThrow } from '../outcome.ts';
import { pause } from '../records/pause.ts';
import type { EntryRange, Position, StoredRecord, StoreOutcome } from '../store/port.ts';
import { createDiscrepancy, type Discrepancy } from './discrepancy.ts';

/** How much is read between two pauses, and kept in memory at a time. */
const pageLimits = { limit: 500, bytes: 1024 * 1024 };

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
    const entriesRead = await orThrow(read({ position, ...pageLimits }));
    await pause();
    const entries: Entry[] = [];
    const misplaced: Discrepancy[] = [];
    const known = new Set(seen);
    for (const entry of entriesRead) {
      if (known.has(entry.position)) misplaced.push(createDiscrepancy(entry, 'position'));
      else entries.push(entry);
      known.add(entry.position);
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
      isLast: entries.length === 0 || (entriesRead.length < pageLimits.limit && length < pageLimits.bytes),
    };
  };
};
