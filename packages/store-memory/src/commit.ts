import {
  type Commit,
  findConflict,
  type RecordRef,
  recordKey,
  repeatedRecordError,
  type StoreError,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import type { Ledger } from './ledger.ts';

const hasDuplicates = (changes: Commit['changes']): boolean =>
  new Set(changes.map(recordKey)).size < changes.length;

/** The first reason for which one of some commits, one after the other, cannot be written; null if there is none. */
const findError = (ledger: Ledger, commits: readonly Commit[]): StoreError | null => {
  /** The versions that the commits before write. */
  const written = new Map<string, number>();
  const versionOf = (ref: RecordRef) =>
    written.get(recordKey(ref)) ?? ledger.find(ref)?.current.version ?? null;
  for (const { changes, versionChecks, reindexing } of commits) {
    for (const check of [...changes, ...versionChecks, ...(reindexing?.records ?? [])]) {
      const conflict = findConflict(check, versionOf(check));
      if (conflict !== null) return conflict;
    }
    if (hasDuplicates(changes)) return repeatedRecordError;
    for (const change of changes) written.set(recordKey(change), (versionOf(change) ?? 0) + 1);
  }
  return null;
};

/** Checks all expected versions before it writes the first change, so that nothing has to be undone. */
export const commitAll = (
  ledger: Ledger,
  commits: readonly Commit[],
): Either<StoreError, readonly (readonly number[])[]> => {
  const error = findError(ledger, commits);
  if (error !== null) return left(error);
  return right(
    commits.map(({ changes, reindexing }) => {
      if (reindexing !== undefined) ledger.reindex(reindexing);
      return changes.map(ledger.write);
    }),
  );
};
