import { type Commit, findConflict, type StoreError } from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { keyOf, type Ledger } from './ledger.ts';

const hasDuplicates = (changes: Commit['changes']): boolean =>
  new Set(changes.map(keyOf)).size < changes.length;

const duplicateError: StoreError = {
  _tag: 'Unavailable',
  message: 'A commit names a record twice.',
  cause: null,
};

/** Checks all expected versions before it writes the first change, so that nothing has to be undone. */
export const commit = (
  ledger: Ledger,
  { changes, versionChecks, reindexing }: Commit,
): Either<StoreError, readonly number[]> => {
  for (const check of [...changes, ...versionChecks, ...(reindexing?.records ?? [])]) {
    const conflict = findConflict(check, ledger.find(check)?.current.version ?? null);
    if (conflict !== null) return left(conflict);
  }
  if (hasDuplicates(changes)) return left(duplicateError);
  if (reindexing !== undefined) ledger.reindex(reindexing);
  return right(changes.map(ledger.write));
};
