import {
  countAt,
  type FeedRange,
  type StoredRecord,
  type StoreError,
  takeEntries,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';

type Entry = Pick<StoredRecord, 'state' | 'resource'> & { readonly digest?: string };

/** A range of entries, each of which has a `countedPosition`. */
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
