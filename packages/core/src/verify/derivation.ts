import * as E from 'fp-ts/lib/Either.js';
import { derivedFrom, type RecordKind } from '../records/record-kind.ts';
import { entryText } from '../store/entry-text.ts';
import type { IndexedRecord } from '../store/port.ts';
import type { IndexEntry } from '../store/query.ts';
import type { Defect } from './discrepancy.ts';

const isSameIndex = (one: readonly IndexEntry[], other: readonly IndexEntry[]): boolean =>
  new Set(one.map(entryText)).symmetricDifference(new Set(other.map(entryText))).size === 0;

/** Derives a record again, and answers what differs from what is stored. */
export const differing = (kind: RecordKind<never>, stored: IndexedRecord): readonly Defect[] => {
  const derived = E.tryCatch(() => derivedFrom(kind, JSON.parse(stored.state) as never), String);
  if (E.isLeft(derived)) return ['state'];
  const again = derived.right;
  const parts = (['id', 'patientId', 'resource'] as const).filter((part) => again[part] !== stored[part]);
  return isSameIndex(again.index, stored.index) ? parts : [...parts, 'index'];
};
