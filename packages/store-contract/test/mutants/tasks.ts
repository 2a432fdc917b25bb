import type { ClinicalStore, StoreError } from '@clinical-records/core/store';
import { left, right } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { everything, mapResult, mutant, nextTurn } from './mutant.ts';

const closedError: StoreError = { _tag: 'Unavailable', message: 'The store is closed.', cause: null };

const runOnce = <A>(task: TaskEither<StoreError, A>): TaskEither<StoreError, A> => {
  let outcome: ReturnType<typeof task> | undefined;
  return () => {
    outcome ??= task();
    return outcome;
  };
};

/** A store that stays open, and whether its user has closed it. */
const trackClose = (store: ClinicalStore) => {
  let isClosed = false;
  const close: ClinicalStore['close'] = () => async () => {
    if (isClosed) return left(closedError);
    isClosed = true;
    return right(undefined);
  };
  return { ...store, close, isClosed: () => isClosed };
};

export const taskMutants = [
  mutant('a commit that begins before it is run', 'a task does nothing before it is run', (store) => ({
    commit: (wanted) => {
      const outcome = store.commit(wanted)();
      return () => outcome;
    },
  })),
  mutant('a read that remembers its result', 'every task may be run more than once', (store) => ({
    read: (ref) => runOnce(store.read(ref)),
  })),
  mutant('a commit that is run once', 'every task may be run more than once', (store) => ({
    commit: (wanted) => runOnce(store.commit(wanted)),
  })),
  mutant(
    'a conflict that is thrown',
    'a change that expects Absent is refused for a record at its first version',
    (store) => ({
      commit: (wanted) => async () => {
        const outcome = await store.commit(wanted)();
        if (outcome._tag === 'Left') throw new Error('The record has moved on.');
        return outcome;
      },
    }),
  ),
  mutant(
    'a search that rejects after close',
    'no function throws or rejects, not even after close',
    (store) => ({
      search: (query) => async () => {
        const outcome = await store.search(query)();
        if (outcome._tag === 'Left') throw new Error('The store is closed.');
        return outcome;
      },
    }),
  ),
  mutant(
    'a read that throws after close, before there is a task',
    'no function throws or rejects, not even after close',
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
  mutant('a closed store that still works', 'after close everything is Unavailable', (store) => ({
    close: trackClose(store).close,
  })),
  mutant('a store that can be closed again and again', 'after close everything is Unavailable', (store) => ({
    close: () => async () => {
      await store.close()();
      return right(undefined);
    },
  })),
  mutant(
    'a task that checks whether the store is closed before it is run',
    'a task made before close and run after it is Unavailable',
    (store) => {
      const { close, isClosed } = trackClose(store);
      return { close, read: (ref) => (isClosed() ? async () => left(closedError) : store.read(ref)) };
    },
  ),
  mutant('a close that drops what was begun', 'close finishes what was begun', (store) => ({
    commit: (wanted) => async () => {
      await nextTurn();
      return store.commit(wanted)();
    },
  })),
  mutant('a close that leaves others to finish what was begun', 'close finishes what was begun', (store) => {
    const { close, isClosed } = trackClose(store);
    return {
      close,
      commit: (wanted) => async () => {
        if (isClosed()) return left(closedError);
        await nextTurn();
        await nextTurn();
        return store.commit(wanted)();
      },
    };
  }),
  mutant(
    'an absent record that is reported as a failure',
    'a record that is absent is read as null',
    (store) => ({
      read: (ref) => async () => {
        const outcome = await store.read(ref)();
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
