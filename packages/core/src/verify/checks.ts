import * as E from 'fp-ts/lib/Either.js';
import { orThrow } from '../outcome.ts';
import { type Correction, correctionRecordDefinition } from '../records/correction.ts';
import type { RecordDefinition } from '../records/definition.ts';
import { deriveRecord, type LoadedRecord, load, recordExists } from '../records/transact.ts';
import { type IndexEntry, isSameIndex } from '../store/index-entry.ts';
import type { ClinicalStore, FeedEntry, IndexedRecord, RecordRef } from '../store/port.ts';
import { recordKey } from '../store/record-key.ts';
import {
  computeDigest,
  erasedHash,
  type FeedPosition,
  feedPositionOf,
  feedStart,
  sha256,
} from '../store/versions.ts';
import { createDiscrepancy, type Discrepancy, type DiscrepancyReason } from './page-reader.ts';

/** Derives a record again, and returns the names of the parts that differ from what is stored. Other index entries do not count. */
export const findDifferences = (
  definition: RecordDefinition<never>,
  stored: IndexedRecord,
  isCompared: (entry: IndexEntry) => boolean,
): readonly DiscrepancyReason[] => {
  const derived = E.tryCatch(() => deriveRecord(definition, JSON.parse(stored.state) as never), String);
  if (E.isLeft(derived)) return ['state'];
  const again = derived.right;
  const parts = (['id', 'patientId', 'resource'] as const).filter((part) => again[part] !== stored[part]);
  const isIndexed = isSameIndex(again.index.filter(isCompared), stored.index.filter(isCompared));
  return isIndexed ? parts : [...parts, 'index'];
};

/** Follows the feed from its beginning, and checks that each version has the digest that it got when it was written. */
export type DigestChain = {
  readonly check: (entries: readonly FeedEntry[]) => readonly Discrepancy[];
  /** The position of the last version so far. */
  readonly head: () => FeedPosition;
  /** Whether the head of an earlier verification was found in the feed. */
  readonly hasFoundHead: () => boolean;
};

export const createDigestChain = (expectedHead: string | undefined): DigestChain => {
  let previous = '';
  let head = feedStart;
  let hasFoundHead = expectedHead === undefined || expectedHead === head;

  /** Relies on the stored digest before it, so that each damaged version is reported by itself. */
  const isSound = (entry: FeedEntry, before: string): boolean =>
    entry.digest === computeDigest(sha256, before, entry);

  return {
    check: (entries) => {
      const unsound = entries.filter(
        (entry, index) => !isSound(entry, entries[index - 1]?.digest ?? previous),
      );
      const last = entries.at(-1);
      if (last !== undefined) {
        previous = last.digest;
        head = feedPositionOf(last);
        hasFoundHead ||= entries.some((entry) => feedPositionOf(entry) === expectedHead);
      }
      return unsound.map((entry) => createDiscrepancy(entry, 'digest'));
    },
    head: () => head,
    hasFoundHead: () => hasFoundHead,
  };
};

type RecordVersionRef = RecordRef & { readonly version: number };

/** The name of a record and its version, without its texts. */
const toRecordVersionRef = ({ type, id, version }: RecordVersionRef): RecordVersionRef => ({
  type,
  id,
  version,
});

const isSameRecord = (a: RecordRef, b: RecordRef): boolean => a.type === b.type && a.id === b.id;

/**
 * Compares the order in which the feed shows that records were created with the order of a scan. It keeps only the
 * records by which one of the two is ahead of the other.
 */
export const createOrderCheck = () => {
  let created: RecordVersionRef[] = [];
  let scanned: RecordVersionRef[] = [];
  let isBroken = false;

  /** Reports the first record that differs, because all records after it differ, too. */
  const report = (record: RecordVersionRef | undefined): readonly Discrepancy[] => {
    if (record === undefined) return [];
    isBroken = true;
    created = [];
    scanned = [];
    return [createDiscrepancy(record, 'order')];
  };

  return {
    /** Whether the feed is ahead. The records that it has shown existed before the scan is asked for them. */
    isAwaiting: () => created.length > 0,
    take: (entries: readonly FeedEntry[], records: readonly IndexedRecord[]): readonly Discrepancy[] => {
      if (isBroken) return [];
      created.push(...entries.filter(({ version }) => version === 1).map(toRecordVersionRef));
      scanned.push(...records.map(toRecordVersionRef));
      const length = Math.min(created.length, scanned.length);
      const differing = scanned.findIndex(
        (record, index) => index < length && !isSameRecord(record, created[index] as RecordVersionRef),
      );
      if (differing !== -1) return report(scanned[differing]);
      created.splice(0, length);
      scanned.splice(0, length);
      return [];
    },
    /** The record that the feed has and the finished scan does not have. */
    missing: (): readonly Discrepancy[] => report(created[0]),
    /** The record that the scan has and the finished feed does not have. */
    unknown: (): readonly Discrepancy[] => report(scanned[0]),
  };
};

/** Checks that a correction in the feed says of each erased version that its record was erased. It keeps only the others. */
export const createErasureCheck = () => {
  const unexplained = new Map<string, FeedEntry[]>();

  const explain = ({ kind, records }: Correction): void => {
    if (kind !== 'erasure') return;
    for (const record of records) {
      const name = recordKey(record);
      const remaining = (unexplained.get(name) ?? []).filter(({ version }) => version >= record.version);
      if (remaining.length === 0) unexplained.delete(name);
      else unexplained.set(name, remaining);
    }
  };

  return {
    take: (entries: readonly FeedEntry[]): void => {
      for (const entry of entries) {
        const name = recordKey(entry);
        if (erasedHash(entry) !== null) {
          unexplained.set(name, [...(unexplained.get(name) ?? []), { ...entry, state: '' }]);
        } else if (entry.type === correctionRecordDefinition.type && entry.resource !== null) {
          // The digest of a damaged correction is reported.
          E.tryCatch(() => explain(JSON.parse(entry.resource ?? '') as Correction), String);
        }
      }
    },
    /** The erased versions about which the feed says nothing. */
    unexplained: (): readonly Discrepancy[] =>
      [...unexplained.values()].flat().map((entry) => createDiscrepancy(entry, 'erasure')),
  };
};

/** How many existing records are remembered, because the records of a page often refer to the same people. */
const maxRemembered = 10_000;

/** How often records that others write are read until none has changed between two reads. */
const maxReads = 20;

/**
 * Checks that the records to which a record relates exist and are consistent with it. Rejects with a
 * `ClinicalRecordsError`.
 */
export const createRelationCheck = (store: ClinicalStore) => {
  const existing = new Set<string>();

  // A record is committed with or after the records that it refers to. So these can be read by now.
  const exists = async (ref: RecordRef): Promise<boolean> => {
    const name = JSON.stringify([ref.type, ref.id]);
    if (existing.has(name)) return true;
    if ((await orThrow(store.read(ref))) === null) return false;
    if (existing.size >= maxRemembered) existing.clear();
    existing.add(name);
    return true;
  };

  const loadAll = <State>(refs: readonly RecordRef[]): Promise<readonly LoadedRecord<State>[]> =>
    Promise.all(refs.map((ref) => orThrow(load<State>(store, ref, ref.id))));

  const versionsOf = (records: readonly LoadedRecord<unknown>[]): string =>
    records.map(({ stored }) => stored?.version ?? 0).join();

  /** Whether some records are consistent, as they all were at one moment. */
  const areConsistent = async <State>(
    refs: readonly RecordRef[],
    isSound: (states: readonly State[]) => boolean,
  ): Promise<boolean> => {
    let records = await loadAll<State>(refs);
    for (let look = 0; look < maxReads; look++) {
      if (isSound(records.filter(recordExists).map(({ state }) => state))) return true;
      // One record may have been read before a commit and another after it.
      const again = await loadAll<State>(refs);
      if (versionsOf(again) === versionsOf(records)) return false;
      records = again;
    }
    return true;
  };

  return async (
    definition: RecordDefinition<never>,
    { state }: IndexedRecord,
  ): Promise<readonly DiscrepancyReason[]> => {
    const { refersTo, agreement } = definition;
    const related = E.tryCatch(() => {
      const read = JSON.parse(state) as never;
      return { refs: refersTo(read), among: agreement?.among(read) ?? [], alone: agreement?.isSound([read]) };
    }, String);
    if (E.isLeft(related)) return ['state'];
    const { refs, among, alone } = related.right;
    const reasons: DiscrepancyReason[] = [];
    for (const ref of refs) {
      if (reasons.length === 0 && !(await exists(ref))) reasons.push('reference');
    }
    if (alone === false || (agreement !== undefined && !(await areConsistent(among, agreement.isSound)))) {
      reasons.push('team');
    }
    return reasons;
  };
};
