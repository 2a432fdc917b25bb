import type { FeedEntry, IndexedRecord, RecordRef } from '../store/port.ts';
import { createDiscrepancy, type Discrepancy } from './discrepancy.ts';

type RecordVersionRef = RecordRef & { readonly version: number };

/** The name of a record and its version, without its texts. */
const toRecordVersionRef = ({ type, id, version }: RecordVersionRef): RecordVersionRef => ({
  type,
  id,
  version,
});

const isSame = (one: RecordRef, other: RecordRef): boolean => one.type === other.type && one.id === other.id;

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
        (record, at) => at < length && !isSame(record, created[at] as RecordVersionRef),
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
