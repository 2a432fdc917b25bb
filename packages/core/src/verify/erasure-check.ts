import * as E from 'fp-ts/lib/Either.js';
import { type Correction, correctionRecordDefinition } from '../records/correction.ts';
import { erasedHash } from '../store/digest.ts';
import type { FeedEntry, RecordRef } from '../store/port.ts';
import { createDiscrepancy, type Discrepancy } from './discrepancy.ts';

const nameOf = ({ type, id }: RecordRef): string => JSON.stringify([type, id]);

/** Checks that a correction in the feed says of each erased version that its record was erased. It keeps only the others. */
export const createErasureCheck = () => {
  const unexplained = new Map<string, FeedEntry[]>();

  const explain = ({ kind, records }: Correction): void => {
    if (kind !== 'erasure') return;
    for (const record of records) {
      const name = nameOf(record);
      const others = (unexplained.get(name) ?? []).filter(({ version }) => version >= record.version);
      if (others.length === 0) unexplained.delete(name);
      else unexplained.set(name, others);
    }
  };

  return {
    take: (entries: readonly FeedEntry[]): void => {
      for (const entry of entries) {
        const name = nameOf(entry);
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
