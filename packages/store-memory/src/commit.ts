import {
  type Commit,
  isExpected,
  type Premise,
  type RecordRef,
  type StoreError,
} from '@clinical-records/core';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { currentOf, keyOf, type Ledger } from './ledger.ts';

const actualVersion = (ledger: Ledger, ref: RecordRef): number | null => {
  const record = ledger.find(ref);
  return record === null ? null : currentOf(record).version;
};

const conflictWith =
  (ledger: Ledger) =>
  ({ type, id, expects }: Premise): StoreError | null => {
    const actual = actualVersion(ledger, { type, id });
    return isExpected(expects, actual) ? null : { _tag: 'Conflict', ref: { type, id }, actual };
  };

const namesTwice = (changes: Commit['changes']): boolean => new Set(changes.map(keyOf)).size < changes.length;

const namedTwice: StoreError = {
  _tag: 'Unavailable',
  message: 'A commit names a record twice.',
  cause: null,
};

/** Looks at every expectation before it writes the first change, so that there is nothing to take back. */
export const commit = (
  ledger: Ledger,
  { changes, premises }: Commit,
): Either<StoreError, readonly number[]> => {
  const [conflict] = [...changes, ...premises]
    .map(conflictWith(ledger))
    .filter((found): found is StoreError => found !== null);
  if (conflict !== undefined) return left(conflict);
  return namesTwice(changes) ? left(namedTwice) : right(changes.map(ledger.write));
};
