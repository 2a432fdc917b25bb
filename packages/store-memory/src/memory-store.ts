import { AsyncLocalStorage } from 'node:async_hooks';
import { ClinicalRecordsError } from '@clinical-records/core';
import {
  type ClinicalStore,
  entriesInRange,
  feedEndOf,
  misuseError,
  type RecordRef,
  type StoreError,
  type StoreOutcome,
  storeClosedError,
  toStoredResource,
  versionsInRange,
} from '@clinical-records/core/store';
import { type Either, left, map, right } from 'fp-ts/lib/Either.js';
import { commitAll } from './commit.ts';
import { createLedger } from './ledger.ts';
import { search, searchInOrder } from './search.ts';

const noDatabaseError = misuseError(
  'The memory store has no database for statements of yours (`tx.write`). Use a store on SQLite or PostgreSQL.',
);

/**
 * A store that lasts as long as the process: for tests and demos. It passes the same contract as the stores that keep
 * files.
 *
 * A search checks every record with the core's `matches`, which defines what a search means.
 *
 * @example
 * const store = createMemoryStore();
 */
export const createMemoryStore = (): ClinicalStore<never> => {
  const ledger = createLedger();
  let closed = false;

  const whileOpen = async <A>(work: () => Either<StoreError, A>): StoreOutcome<A> =>
    closed ? left(storeClosedError) : work();

  const current = (ref: RecordRef) => ledger.find(ref)?.versions[0] ?? null;

  return {
    read: (ref) => whileOpen(() => right(current(ref))),
    readResource: (ref) =>
      whileOpen(() => {
        const record = current(ref);
        return right(record && toStoredResource(record));
      }),
    search: (query) => whileOpen(() => right(search(ledger, query))),
    searchInOrder: (query) => whileOpen(() => right(searchInOrder(ledger, query))),
    commit: (commit) =>
      whileOpen(() =>
        map(([versions = []]: readonly (readonly number[])[]) => versions)(commitAll(ledger, [commit])),
      ),
    commitAll: (commits, writes) =>
      whileOpen(() => (writes.length === 0 ? commitAll(ledger, commits) : left(noDatabaseError))),
    readVersion: (ref) =>
      whileOpen(() =>
        right(ledger.find(ref)?.versions.find(({ version }) => version === ref.version) ?? null),
      ),
    history: (range) => whileOpen(() => right(versionsInRange(ledger.find(range)?.versions ?? [], range))),
    changesSince: (range) => whileOpen(() => entriesInRange(ledger.feed, range)),
    feedEnd: () => whileOpen(() => right(feedEndOf(ledger.feed))),
    scan: (range) => whileOpen(() => entriesInRange(ledger.records(), range)),
    indexedParameters: () => whileOpen(() => right(ledger.indexedParameters())),
    callContext: new AsyncLocalStorage(),
    close: async () => {
      if (closed) throw new ClinicalRecordsError(storeClosedError);
      closed = true;
    },
  };
};
