import {
  type Change,
  entryText,
  type FeedEntry,
  type IndexEntry,
  type RecordRef,
  type StoredRecord,
} from '@clinical-records/core';

/** What a line keeps of a change. The version is counted when it is read. */
export type Written = Omit<Change, 'expects'>;

/** A record in memory: its versions, oldest first, and what it is found by. */
export type Kept = {
  readonly position: number;
  readonly index: readonly IndexEntry[];
  readonly current: StoredRecord;
  readonly versions: readonly StoredRecord[];
};

// No separator would do: an id may contain it.
const keyOf = ({ type, id }: RecordRef): string => JSON.stringify([type, id]);

const distinct = (index: readonly IndexEntry[]): readonly IndexEntry[] => [
  ...new Map(index.map((entry) => [entryText(entry), entry])).values(),
];

// #region ledger
/** All that was ever written, by record and in its order. */
export const createLedger = () => {
  // A Map keeps the order in which its keys came: that of creation.
  const records = new Map<string, Kept>();
  const feed: FeedEntry[] = [];

  const find = (ref: RecordRef): Kept | null => records.get(keyOf(ref)) ?? null;

  const add = ({ index, ...change }: Written): number => {
    const before = find(change);
    const current = { ...change, version: (before?.current.version ?? 0) + 1 };
    records.set(keyOf(change), {
      position: before?.position ?? records.size + 1,
      index: change.resource === null ? [] : distinct(index),
      current,
      versions: [...(before?.versions ?? []), current],
    });
    feed.push({ ...current, position: feed.length + 1 });
    return current.version;
  };

  return { find, add, feed, all: (): readonly Kept[] => [...records.values()] };
};
// #endregion

export type Ledger = ReturnType<typeof createLedger>;
