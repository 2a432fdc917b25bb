import { hash } from 'node:crypto';
import {
  type Change,
  digestOf,
  entryText,
  type FeedEntry,
  type IndexEntry,
  type IndexedRecord,
  type RecordRef,
  type StoredRecord,
} from '@clinical-records/core';

/** A record as it stands, and all of its versions, newest first. */
export type Kept = {
  readonly standing: IndexedRecord;
  readonly versions: readonly [StoredRecord, ...StoredRecord[]];
};

/** All that a store keeps: the records in the order of their creation, and their versions in the order of commits. */
export type Ledger = {
  readonly find: (ref: RecordRef) => Kept | null;
  readonly records: () => readonly IndexedRecord[];
  readonly feed: readonly FeedEntry[];
  readonly write: (change: Change) => number;
};

/** Names a record; no separator would do, for an id may contain it. */
export const keyOf = ({ type, id }: RecordRef): string => JSON.stringify([type, id]);

/** Copies, since what the caller holds may change; what is said twice is kept once, and nothing finds what cannot be read. */
const indexOf = ({ index, resource }: Change): readonly IndexEntry[] =>
  resource === null ? [] : [...new Map(index.map((entry) => [entryText(entry), { ...entry }])).values()];

const sha256 = (text: string): string => hash('sha256', text);

export const createLedger = (): Ledger => {
  // A Map keeps the order of first insertion, which is that of creation.
  const records = new Map<string, Kept>();
  const feed: FeedEntry[] = [];

  const find = (ref: RecordRef): Kept | null => records.get(keyOf(ref)) ?? null;

  const write = (change: Change): number => {
    const { type, id, patientId, at, by, state, resource } = change;
    const before = find(change);
    const version = (before?.standing.version ?? 0) + 1;
    const position = before?.standing.position ?? records.size + 1;
    // Frozen, so that each can be handed out again and again.
    const written = Object.freeze({ type, id, patientId, version, at, by, state, resource });
    records.set(keyOf(change), {
      standing: Object.freeze({ ...written, position, index: indexOf(change) }),
      versions: [written, ...(before?.versions ?? [])],
    });
    const entry = { ...written, position: feed.length + 1 };
    feed.push(Object.freeze({ ...entry, digest: digestOf(sha256, feed.at(-1)?.digest ?? '', entry) }));
    return version;
  };

  return { find, records: () => [...records.values()].map(({ standing }) => standing), feed, write };
};
