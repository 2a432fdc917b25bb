import {
  type ClinicalStore,
  entriesInRange,
  feedEndOf,
  misuseError,
  orThrow,
  type StoreError,
  type StoreOutcome,
  storeClosedError,
  toStoredResource,
  unavailableError,
  versionsInRange,
} from '@clinical-records/core/store';
import { type Either, left, map, right } from 'fp-ts/lib/Either.js';
import { commitAll } from './commit.ts';
import { InDoubtError, openJournal } from './journal.ts';
import { createLedger, type JournalLine } from './ledger.ts';
import { search } from './search.ts';

const noStatementsError = misuseError('A file of JSON lines takes no statements.');

/**
 * A store in one file to which each commit appends a line. All of it is also kept in memory.
 *
 * Only one process at a time can use the file. Opening throws if it cannot be read.
 */
export const openJsonLinesStore = ({ filename }: { readonly filename: string }): ClinicalStore<never> => {
  const ledger = createLedger();
  const journal = openJournal(filename, (line) => {
    ledger.addLine(line as JournalLine);
  });
  let isOpen = true;

  const whileOpen = async <A>(work: () => Either<StoreError, A>): StoreOutcome<A> => {
    if (!isOpen) return left(storeClosedError);
    try {
      return work();
    } catch (cause) {
      if (cause instanceof InDoubtError)
        return left({ _tag: 'OutcomeUnknown', message: cause.message, cause: cause.cause });
      return left(unavailableError('The file cannot be written.', cause));
    }
  };

  return {
    read: (ref) => whileOpen(() => right(ledger.find(ref)?.current ?? null)),
    readResource: (ref) =>
      whileOpen(() => {
        const record = ledger.find(ref);
        return right(record && toStoredResource(record.current));
      }),
    search: (query) => whileOpen(() => right(search(ledger, query))),
    commit: (commit) =>
      whileOpen(() =>
        map(([versions = []]: readonly (readonly number[])[]) => versions)(
          commitAll(ledger, journal, [commit]),
        ),
      ),
    commitAll: (commits, writes) =>
      whileOpen(() => (writes.length === 0 ? commitAll(ledger, journal, commits) : left(noStatementsError))),
    readVersion: (ref) => whileOpen(() => right(ledger.find(ref)?.versions[ref.version - 1] ?? null)),
    history: (range) =>
      whileOpen(() => right(versionsInRange(ledger.find(range)?.versions.toReversed() ?? [], range))),
    changesSince: (range) => whileOpen(() => entriesInRange(ledger.feed(), range)),
    feedEnd: () => whileOpen(() => right(feedEndOf(ledger.feed()))),
    scan: (range) => whileOpen(() => entriesInRange(ledger.scan(), range)),
    indexedParameters: () => whileOpen(() => right(ledger.indexedParameters())),
    close: () =>
      orThrow(
        whileOpen(() => {
          isOpen = false;
          journal.close();
          return right(undefined);
        }),
      ),
  };
};
