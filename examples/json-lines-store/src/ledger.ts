import { hash } from 'node:crypto';
import {
  computeDigest,
  countedPosition,
  type FeedEntry,
  type IndexEntry,
  type IndexedParameters,
  type IndexedRecord,
  type Position,
  type RecordChange,
  type RecordRef,
  type Reindexing,
  recordKey,
  type StoredRecord,
  serializeIndexEntry,
} from '@clinical-records/core/store';

/** The part of a change that a line has. The version and the position are counted when it is read. */
export type JournaledChange = Omit<RecordChange, 'expects'> & { readonly digest: string };

/** A line of the file: the changes of a commit, or its reindexing. */
export type JournalLine = readonly JournaledChange[] | Reindexing;

/** A record in memory: its versions, oldest first, and its index entries. */
export type LedgerRecord = {
  readonly position: Position;
  readonly index: readonly IndexEntry[];
  readonly current: StoredRecord;
  readonly versions: readonly StoredRecord[];
};

// No separator is safe, because an id may contain it.
const distinct = (index: readonly IndexEntry[]): readonly IndexEntry[] => [
  ...new Map(index.map((entry) => [serializeIndexEntry(entry), entry])).values(),
];

const sha256 = (text: string): string => hash('sha256', text);

/** The changes of a line with their digests in the feed. Those of several commits may name the same record. */
const withDigests = (
  changes: readonly RecordChange[],
  feed: readonly FeedEntry[],
  versionOf: (ref: RecordRef) => number,
): readonly JournaledChange[] => {
  let previous = feed.at(-1)?.digest ?? '';
  const versions = new Map<string, number>();
  return changes.map(({ expects: _, ...change }, at) => {
    const version = (versions.get(recordKey(change)) ?? versionOf(change)) + 1;
    versions.set(recordKey(change), version);
    const position = countedPosition(feed.length + 1 + at);
    previous = computeDigest(sha256, previous, { ...change, version, position });
    return { ...change, digest: previous };
  });
};

/** Everything that was ever written, by record and in its order. */
export const createLedger = () => {
  // A Map keeps the order of first insertion, which is the order of creation.
  const records = new Map<string, LedgerRecord>();
  let feed: FeedEntry[] = [];

  const find = (ref: RecordRef): LedgerRecord | null => records.get(recordKey(ref)) ?? null;

  /** The version of a record; 0 if there is none yet. */
  const versionOf = (ref: RecordRef): number => find(ref)?.current.version ?? 0;

  /** Replaces the states of all versions of a record, oldest first, and leaves them without resources. */
  const replaceStates = (ref: RecordRef, states: readonly string[]): void => {
    const record = find(ref);
    if (record === null) return;
    const replaced = <Version extends StoredRecord>(one: Version): Version =>
      one.type === ref.type && one.id === ref.id
        ? { ...one, state: states[one.version - 1] ?? '', resource: null }
        : one;
    records.set(recordKey(ref), { ...record, versions: record.versions.map(replaced) });
    feed = feed.map(replaced);
  };

  const add = ({ index, digest, priorStates, ...change }: JournaledChange): number => {
    if (priorStates !== undefined) replaceStates(change, priorStates);
    const before = find(change);
    const current = { ...change, version: versionOf(change) + 1 };
    records.set(recordKey(change), {
      position: before?.position ?? countedPosition(records.size + 1),
      index: change.resource === null ? [] : distinct(index),
      current,
      versions: [...(before?.versions ?? []), current],
    });
    feed.push({ ...current, position: countedPosition(feed.length + 1), digest });
    return current.version;
  };

  let indexedParameters: IndexedParameters = {};

  const reindex = (reindexing: Reindexing): void => {
    for (const { index, ...ref } of reindexing.records) {
      const record = find(ref);
      if (record === null) continue;
      const entries = record.current.resource === null ? [] : distinct(index);
      records.set(recordKey(ref), { ...record, index: entries });
    }
    indexedParameters = { ...indexedParameters, ...reindexing.parameters };
  };

  /** Adds what a line has, and returns the new versions. */
  const addLine = (line: JournalLine): readonly number[] => {
    if ('records' in line) reindex(line);
    return 'records' in line ? [] : line.map(add);
  };

  const all = (): readonly LedgerRecord[] => [...records.values()];

  return {
    find,
    addDigests: (changes: readonly RecordChange[]) => withDigests(changes, feed, versionOf),
    addLine,
    indexedParameters: () => indexedParameters,
    feed: () => feed,
    scan: () => all().map(({ current, position, index }): IndexedRecord => ({ ...current, position, index })),
    all,
  };
};

export type Ledger = ReturnType<typeof createLedger>;
