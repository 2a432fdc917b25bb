import { type Commit, findConflict, type StoreError } from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { eraseIn } from './erase-in.ts';
import type { Journal } from './journal.ts';
import type { JournalLine, Ledger } from './ledger.ts';

const findError = (ledger: Ledger, { changes, versionChecks, reindexing }: Commit): StoreError | null => {
  for (const demand of [...changes, ...versionChecks, ...(reindexing?.records ?? [])]) {
    const conflict = findConflict(demand, ledger.find(demand)?.current.version ?? null);
    if (conflict !== null) return conflict;
  }
  const named = new Set(changes.map(({ type, id }) => JSON.stringify([type, id])));
  return named.size === changes.length
    ? null
    : { _tag: 'Unavailable', message: 'A commit names a record twice.', cause: null };
};

/** Checks, appends and applies in one turn of the event loop, so that no other commit comes in between. */
export const commit = (
  ledger: Ledger,
  journal: Journal,
  wanted: Commit,
): Either<StoreError, readonly number[]> => {
  const refused = findError(ledger, wanted);
  if (refused !== null) return left(refused);
  if (wanted.changes.length === 0 && wanted.reindexing === undefined) return right([]);
  const line = JSON.stringify(wanted.reindexing ?? ledger.addDigests(wanted.changes));
  // The lines before have what is erased.
  if (wanted.changes.some(({ priorStates }) => priorStates !== undefined)) {
    journal.rewrite(eraseIn(wanted.changes), line);
  } else journal.append(line);
  // Parses the line again. So the memory has exactly what a reader of the file will get, and no object of the caller.
  return right(ledger.addLine(JSON.parse(line) as JournalLine));
};
