import {
  type Commit,
  findConflict,
  type RecordRef,
  recordKey,
  repeatedRecordError,
  type StoreError,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { eraseIn } from './erase-in.ts';
import type { Journal } from './journal.ts';
import type { JournalLine, Ledger } from './ledger.ts';

/** The first reason for which one of some commits, one after the other, cannot be written; null if there is none. */
const findError = (ledger: Ledger, commits: readonly Commit[]): StoreError | null => {
  /** The versions that the commits before write. */
  const written = new Map<string, number>();
  const versionOf = (ref: RecordRef) =>
    written.get(recordKey(ref)) ?? ledger.find(ref)?.current.version ?? null;
  for (const { changes, versionChecks, reindexing } of commits) {
    for (const demand of [...changes, ...versionChecks, ...(reindexing?.records ?? [])]) {
      const conflict = findConflict(demand, versionOf(demand));
      if (conflict !== null) return conflict;
    }
    if (new Set(changes.map(recordKey)).size < changes.length) return repeatedRecordError;
    for (const change of changes) written.set(recordKey(change), (versionOf(change) ?? 0) + 1);
  }
  return null;
};

/** Checks, appends and applies in one turn of the event loop, so that no other commit comes in between. */
export const commitAll = (
  ledger: Ledger,
  journal: Journal,
  commits: readonly Commit[],
): Either<StoreError, readonly (readonly number[])[]> => {
  // #region commit
  const refused = findError(ledger, commits);
  if (refused !== null) return left(refused);
  const changes = commits.flatMap((commit) => commit.changes);
  const reindexing = commits.find((commit) => commit.reindexing !== undefined)?.reindexing;
  if (changes.length === 0 && reindexing === undefined) return right(commits.map(() => []));
  // All of it is one line, which is written or not.
  const line = JSON.stringify(reindexing ?? ledger.addDigests(changes));
  // The lines before have what is erased.
  if (changes.some(({ priorStates }) => priorStates !== undefined)) {
    journal.rewrite(eraseIn(changes), line);
  } else journal.append(line);
  // Parses the line again. So the memory has exactly what a reader of the file will get, and no object of the caller.
  const versions = [...ledger.addLine(JSON.parse(line) as JournalLine)];
  return right(commits.map((commit) => versions.splice(0, commit.changes.length)));
  // #endregion
};
