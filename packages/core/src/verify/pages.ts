import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { orThrow } from '../errors.ts';
import { pause } from '../records/pause.ts';
import type { StoredRecord, StoreError, Stretch } from '../store/port.ts';
import { type Discrepancy, discrepancy } from './discrepancy.ts';

/** How much is looked at between two pauses, and held at a time. */
const page = { limit: 500, bytes: 1024 * 1024 };

type Positioned = StoredRecord & { readonly position: number };

/**
 * What comes next in the feed or in a scan, and where positions do not grow. A page that is not full is the last one: to ask until
 * one is empty might never end while others write.
 */
export type Pages<Entry> = () => Promise<{
  readonly entries: readonly Entry[];
  readonly disorder: readonly Discrepancy[];
  readonly isLast: boolean;
}>;

/** Reads page after page. Rejects as `orThrow` does. */
export const pagesOf = <Entry extends Positioned>(
  read: (since: Stretch) => TaskEither<StoreError, readonly Entry[]>,
): Pages<Entry> => {
  let position = 0;
  return async () => {
    const answered = await orThrow(read({ position, ...page }));
    await pause();
    const entries: Entry[] = [];
    const disorder: Discrepancy[] = [];
    for (const entry of answered) {
      if (entry.position > position) {
        position = entry.position;
        entries.push(entry);
      } else disorder.push(discrepancy(entry, 'position'));
    }
    const length = answered.reduce(
      (sum, { state, resource }) => sum + state.length + (resource?.length ?? 0),
      0,
    );
    return {
      entries,
      disorder,
      isLast: entries.length === 0 || (answered.length < page.limit && length < page.bytes),
    };
  };
};
