import { hash } from 'node:crypto';
import {
  computeDigest,
  countedPosition,
  type FeedEntry,
  type IndexEntry,
  type IndexedParameters,
  type IndexedRecord,
  type RecordChange,
  type RecordRef,
  type Reindexing,
  recordKey,
  type StoredRecord,
  serializeIndexEntry,
} from '@clinical-records/core/store';

/** The current version of a record, and all of its versions, newest first. */
export type LedgerRecord = {
  readonly current: IndexedRecord;
  readonly versions: readonly [StoredRecord, ...StoredRecord[]];
};

/**
 * Everything that a store keeps: the records in the order of their creation, and their versions in the order of
 * commits.
 */
export type Ledger = {
  readonly find: (ref: RecordRef) => LedgerRecord | null;
  readonly records: () => readonly IndexedRecord[];
  readonly feed: readonly FeedEntry[];
  readonly write: (change: RecordChange) => number;
  readonly reindex: (reindexing: Reindexing) => void;
  readonly indexedParameters: () => IndexedParameters;
};

/**
 * Copies the entries, because the caller may modify them. Repeated entries are kept once. A record without a resource
 * has none.
 */
const copyIndex = ({ index, resource }: Pick<RecordChange, 'index' | 'resource'>): readonly IndexEntry[] =>
  resource === null
    ? []
    : [...new Map(index.map((entry) => [serializeIndexEntry(entry), { ...entry }])).values()];

const sha256 = (text: string): string => hash('sha256', text);

export const createLedger = (): Ledger => {
  // A Map keeps the order of first insertion, which is the order of creation.
  const records = new Map<string, LedgerRecord>();
  const feed: FeedEntry[] = [];

  const find = (ref: RecordRef): LedgerRecord | null => records.get(recordKey(ref)) ?? null;

  /** Replaces the states of all versions of a record, oldest first, and leaves them without resources. */
  const replaceStates = (ref: RecordRef, states: readonly string[]): void => {
    const record = find(ref);
    if (record === null) return;
    const replaced = <Version extends StoredRecord>(version: Version): Version =>
      Object.freeze({ ...version, state: states[version.version - 1] ?? '', resource: null });
    const [newest, ...earlier] = record.versions;
    records.set(recordKey(ref), { ...record, versions: [replaced(newest), ...earlier.map(replaced)] });
    for (const [index, entry] of feed.entries()) {
      if (entry.type === ref.type && entry.id === ref.id) feed[index] = replaced(entry);
    }
  };

  const write = (change: RecordChange): number => {
    const { type, id, patientId, at, by, state, resource, priorStates } = change;
    if (priorStates !== undefined) replaceStates(change, priorStates);
    const before = find(change);
    const version = (before?.current.version ?? 0) + 1;
    const position = before?.current.position ?? countedPosition(records.size + 1);
    // Frozen, so that the same object can be returned many times.
    const written = Object.freeze({ type, id, patientId, version, at, by, state, resource });
    records.set(recordKey(change), {
      current: Object.freeze({ ...written, position, index: copyIndex(change) }),
      versions: [written, ...(before?.versions ?? [])],
    });
    const entry = { ...written, position: countedPosition(feed.length + 1) };
    feed.push(Object.freeze({ ...entry, digest: computeDigest(sha256, feed.at(-1)?.digest ?? '', entry) }));
    return version;
  };

  let indexedParameters: IndexedParameters = {};

  const reindex = (reindexing: Reindexing): void => {
    for (const { index, ...ref } of reindexing.records) {
      const record = find(ref);
      if (record === null) continue;
      const current = { ...record.current, index: copyIndex({ ...record.current, index }) };
      records.set(recordKey(ref), { ...record, current: Object.freeze(current) });
    }
    indexedParameters = Object.freeze({ ...indexedParameters, ...reindexing.parameters });
  };

  return {
    find,
    records: () => [...records.values()].map(({ current }) => current),
    feed,
    write,
    reindex,
    indexedParameters: () => indexedParameters,
  };
};
