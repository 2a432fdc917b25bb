import {
  type Change,
  entryText,
  type FeedEntry,
  type Findable,
  type IndexEntry,
  type RecordRef,
  type StoredRecord,
} from '@clinical-records/core';

/** A record with all of its versions, oldest first, and what it is found by at the moment. */
export type Kept = Findable & {
  readonly position: number;
  readonly versions: readonly [StoredRecord, ...StoredRecord[]];
};

/** All that a store keeps: the records in the order of their creation, and their versions in the order of commits. */
export type Ledger = {
  readonly find: (ref: RecordRef) => Kept | null;
  readonly records: () => Iterable<Kept>;
  readonly feed: readonly FeedEntry[];
  readonly write: (change: Change) => number;
};

export const currentOf = ({ versions }: Kept): StoredRecord => versions.at(-1) ?? versions[0];

/** Names a record; no separator would do, for an id may contain it. */
export const keyOf = ({ type, id }: RecordRef): string => JSON.stringify([type, id]);

/** Frozen, so that it can be handed out again and again. */
const versionOf = (change: Change, version: number): StoredRecord => {
  const { type, id, patientId, at, by, state, resource } = change;
  return Object.freeze({ type, id, patientId, version, at, by, state, resource });
};

/** Copies, since what the caller holds may change; what is said twice is kept once, and nothing finds what cannot be read. */
const indexOf = ({ index, resource }: Change): readonly IndexEntry[] =>
  resource === null ? [] : [...new Map(index.map((entry) => [entryText(entry), { ...entry }])).values()];

export const createLedger = (): Ledger => {
  // A Map keeps the order of first insertion, which is that of creation.
  const records = new Map<string, Kept>();
  const feed: FeedEntry[] = [];

  const find = (ref: RecordRef): Kept | null => records.get(keyOf(ref)) ?? null;

  const write = (change: Change): number => {
    const before = find(change);
    const written = versionOf(change, before === null ? 1 : currentOf(before).version + 1);
    records.set(keyOf(change), {
      type: written.type,
      id: written.id,
      patientId: written.patientId,
      index: indexOf(change),
      position: before?.position ?? records.size + 1,
      versions: before === null ? [written] : [...before.versions, written],
    });
    feed.push(Object.freeze({ ...written, position: feed.length + 1 }));
    return written.version;
  };

  return { find, records: () => records.values(), feed, write };
};
