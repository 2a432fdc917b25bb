import * as E from 'fp-ts/lib/Either.js';
import { deriveRecord } from '../records/record-change.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import { isSameIndex } from '../store/index-entry.ts';
import type { IndexedRecord } from '../store/port.ts';
import type { DiscrepancyReason } from './discrepancy.ts';

/** Derives a record again, and returns the names of the parts that differ from what is stored. */
export const findDifferences = (
  definition: RecordDefinition<never>,
  stored: IndexedRecord,
): readonly DiscrepancyReason[] => {
  const derived = E.tryCatch(() => deriveRecord(definition, JSON.parse(stored.state) as never), String);
  if (E.isLeft(derived)) return ['state'];
  const again = derived.right;
  const parts = (['id', 'patientId', 'resource'] as const).filter((part) => again[part] !== stored[part]);
  return isSameIndex(again.index, stored.index) ? parts : [...parts, 'index'];
};
