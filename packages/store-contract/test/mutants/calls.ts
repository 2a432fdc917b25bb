import { ClinicalRecordsError } from '@clinical-records/core';
import type { ClinicalStore, StoreError } from '@clinical-records/core/store';
import { left } from 'fp-ts/lib/Either.js';
import { everything, mapResult, mutant, nextTurn } from './mutant.ts';

const closedError: StoreError = { _tag: 'Closed' };

/** A store that stays open, and whether its user has closed it. */
const trackClose = (store: ClinicalStore) => {
  let isClosed = false;
  const close: ClinicalStore['close'] = async () => {
    if (isClosed) throw new ClinicalRecordsError(closedError);
    isClosed = true;
  };
  return { ...store, close, isClosed: () => isClosed };
};

export const callMutants = [
  mutant(
    'a read that begins when it is awaited',
    'every function returns a promise, which has begun',
    (store) => ({
      read: (ref) => {
        const begin = () => store.read(ref);
        // biome-ignore lint/suspicious/noThenProperty: this is what `await` calls.
        return { then: (fulfilled, rejected) => begin().then(fulfilled, rejected) } as ReturnType<
          typeof begin
        >;
      },
    }),
  ),
  mutant(
    'a conflict that is thrown',
    'a change that expects Absent is refused for a record at its first version',
    (store) => ({
      commit: async (wanted) => {
        const outcome = await store.commit(wanted);
        if (outcome._tag === 'Left') throw new Error('The record has moved on.');
        return outcome;
      },
    }),
  ),
  mutant(
    'a search that rejects after close',
    'no function but close throws or rejects, not even after close',
    (store) => ({
      search: async (query) => {
        const outcome = await store.search(query);
        if (outcome._tag === 'Left') throw new Error('The store is closed.');
        return outcome;
      },
    }),
  ),
  mutant(
    'a read that throws after close, before there is a promise',
    'no function but close throws or rejects, not even after close',
    (store) => {
      const { close, isClosed } = trackClose(store);
      return {
        close,
        read: (ref) => {
          if (isClosed()) throw new Error('The store is closed.');
          return store.read(ref);
        },
      };
    },
  ),
];

export const closingMutants = [
  mutant('a closed store that still works', 'after close everything is Closed', (store) => ({
    close: trackClose(store).close,
  })),
  mutant(
    'a store that can be closed again and again',
    'a second close rejects with a StoreFailure',
    (store) => ({
      close: () => store.close().catch(() => {}),
    }),
  ),
  mutant('a close that drops what was begun', 'close finishes what was begun', (store) => ({
    commit: async (wanted) => {
      await nextTurn();
      return store.commit(wanted);
    },
  })),
  mutant('a close that leaves others to finish what was begun', 'close finishes what was begun', (store) => {
    const { close, isClosed } = trackClose(store);
    return {
      close,
      commit: async (wanted) => {
        if (isClosed()) return left(closedError);
        await nextTurn();
        await nextTurn();
        return store.commit(wanted);
      },
    };
  }),
  mutant(
    'an absent record that is reported as a failure',
    'a record that is absent is read as null',
    (store) => ({
      read: async (ref) => {
        const outcome = await store.read(ref);
        return outcome._tag === 'Right' && outcome.right === null ? left(closedError) : outcome;
      },
    }),
  ),
  mutant(
    'records that are named only by their id',
    'a record is named by its type and its id together',
    (store) => ({
      read: ({ id }) =>
        mapResult(store.changesSince(everything), (entries) => {
          const found = entries.findLast((entry) => entry.id === id);
          if (found === undefined) return null;
          const { position: _, digest: __, ...record } = found;
          return record;
        }),
    }),
  ),
];
