import { type Commit, conflictOf, type StoreError } from '@clinical-records/core';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { keyOf, type Ledger } from './ledger.ts';

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
  for (const demand of [...changes, ...premises]) {
    const conflict = conflictOf(demand, ledger.find(demand)?.standing.version ?? null);
    if (conflict !== null) return left(conflict);
  }
  return namesTwice(changes) ? left(namedTwice) : right(changes.map(ledger.write));
};
