import type { FeedEntry, IndexedRecord, RecordRef } from '../store/port.ts';
import { createDiscrepancy, type Discrepancy } from './discrepancy.ts';

type RecordVersionRef = RecordRef & { readonly version: number };

/** What is held of a record: nothing of its texts. */
const toRecordVersionRef = ({ type, id, version }: RecordVersionRef): RecordVersionRef => ({
  type,
  id,
  version,
});

const isSame = (one: RecordRef, other: RecordRef): boolean => one.type === other.type && one.id === other.id;

/**
 * Compares the order in which the feed says that records were created with that in which a scan shows them. Holds no more than
 * what one of the two is ahead of the other.
 */
export const createOrderCheck = () => {
  let created: RecordVersionRef[] = [];
  let scanned: RecordVersionRef[] = [];
  let isBroken = false;

  /** Reports the first record that differs: all behind it differ, too. */
  const report = (record: RecordVersionRef | undefined): readonly Discrepancy[] => {
    if (record === undefined) return [];
    isBroken = true;
    created = [];
    scanned = [];
    return [createDiscrepancy(record, 'order')];
  };

  return {
    /** Whether the feed is ahead: what it has told was there before the scan is asked for it. */
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
    /** What the feed has and a scan that has ended since has not. */
    missing: (): readonly Discrepancy[] => report(created[0]),
    /** What the scan has and a feed that has ended since has not. */
    unknown: (): readonly Discrepancy[] => report(scanned[0]),
  };
};
