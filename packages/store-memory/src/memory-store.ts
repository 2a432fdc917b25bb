import {
  type ClinicalStore,
  type RecordRef,
  type StoreError,
  takeEntries,
  toStoredResource,
} from '@clinical-records/core';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { commit } from './commit.ts';
import { createLedger } from './ledger.ts';
import { search } from './search.ts';

const closedError: StoreError = { _tag: 'Unavailable', message: 'The store is closed.', cause: null };

/**
 * A store that lasts as long as the process: for tests and demos, and as correct as those that keep files.
 *
 * A search looks at every record: what it means is said by the core's `matches`, and this is that function.
 *
 * @example
 * const store = createMemoryStore();
 */
export const createMemoryStore = (): ClinicalStore => {
  const ledger = createLedger();
  let closed = false;

  const whileOpen =
    <A>(work: () => Either<StoreError, A>): TaskEither<StoreError, A> =>
    async () =>
      closed ? left(closedError) : work();

  const current = (ref: RecordRef) => ledger.find(ref)?.versions[0] ?? null;

  return {
    read: (ref) => whileOpen(() => right(current(ref))),
    readResource: (ref) =>
      whileOpen(() => {
        const record = current(ref);
        return right(record && toStoredResource(record));
      }),
    search: (query) => whileOpen(() => right(search(ledger, query))),
    commit: (wanted) => whileOpen(() => commit(ledger, wanted)),
    history: (ref) => whileOpen(() => right(ledger.find(ref)?.versions.slice() ?? [])),
    // The position of an entry is its place in the feed, counted from 1, and that of a record its place among all.
    changesSince: (since) =>
      whileOpen(() => right(takeEntries(ledger.feed.values().drop(since.position), since))),
    scan: (since) =>
      whileOpen(() => right(takeEntries(ledger.records().values().drop(since.position), since))),
    close: () =>
      whileOpen(() => {
        closed = true;
        return right(undefined);
      }),
  };
};
