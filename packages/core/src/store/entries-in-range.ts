import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { countAt } from './counted-position.ts';
import type { FeedEnd, FeedEntry, FeedRange, StoredRecord, StoreError } from './port.ts';
import { takeEntries } from './take-entries.ts';

type Entry = Pick<StoredRecord, 'state' | 'resource'> & { readonly digest?: string };

/** A range of all the entries of a feed or of a scan, each of which has a `countedPosition`. */
export const entriesInRange = <E extends Entry>(
  entries: readonly E[],
  range: FeedRange,
): Either<StoreError, readonly E[]> => {
  const { position, digest } = range;
  const count = countAt(position);
  const isKnown = count !== null && count <= entries.length;
  return isKnown && (digest === undefined || entries[count - 1]?.digest === digest)
    ? right(takeEntries(entries.values().drop(count), range))
    : left({ _tag: 'UnknownPosition' });
};

/** The end of a feed, of all the entries. */
export const feedEndOf = (entries: readonly FeedEntry[]): FeedEnd | null => {
  const last = entries.at(-1);
  return last === undefined ? null : { position: last.position, digest: last.digest };
};
