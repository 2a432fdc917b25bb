import type { FeedEntry, IndexedRecord, RecordRef } from '../store/port.ts';
import { type Discrepancy, discrepancy } from './discrepancy.ts';

type Named = RecordRef & { readonly version: number };

/** What is held of a record: nothing of its texts. */
const named = ({ type, id, version }: Named): Named => ({ type, id, version });

const isSame = (one: RecordRef, other: RecordRef): boolean => one.type === other.type && one.id === other.id;

/**
 * Compares the order in which the feed says that records were created with that in which a scan shows them. Holds no more than
 * what one of the two is ahead of the other.
 */
export const createOrder = () => {
  let created: Named[] = [];
  let standing: Named[] = [];
  let isBroken = false;

  /** Reports the first record that differs: all behind it differ, too. */
  const reported = (record: Named | undefined): readonly Discrepancy[] => {
    if (record === undefined) return [];
    isBroken = true;
    created = [];
    standing = [];
    return [discrepancy(record, 'order')];
  };

  return {
    /** Whether the feed is ahead: what it has told was there before the scan is asked for it. */
    isAwaiting: () => created.length > 0,
    take: (entries: readonly FeedEntry[], records: readonly IndexedRecord[]): readonly Discrepancy[] => {
      if (isBroken) return [];
      created.push(...entries.filter(({ version }) => version === 1).map(named));
      standing.push(...records.map(named));
      const length = Math.min(created.length, standing.length);
      const differing = standing.findIndex(
        (record, at) => at < length && !isSame(record, created[at] as Named),
      );
      if (differing !== -1) return reported(standing[differing]);
      created.splice(0, length);
      standing.splice(0, length);
      return [];
    },
    /** What the feed has and a scan that has ended since has not. */
    missing: (): readonly Discrepancy[] => reported(created[0]),
    /** What the scan has and a feed that has ended since has not. */
    unknown: (): readonly Discrepancy[] => reported(standing[0]),
  };
};
