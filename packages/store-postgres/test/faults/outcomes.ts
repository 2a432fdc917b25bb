import type { ClinicalStore, StoreError } from '@clinical-records/core/store';
import type { Either } from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import { change, ref, resultOf } from '../store-helpers.ts';

export type Outcome = Either<StoreError, unknown>;

export const commit = (store: ClinicalStore, id: string): Promise<Outcome> =>
  store.commit({ changes: [change({ id })], versionChecks: [] });

export const read = (store: ClinicalStore, id: string): Promise<Outcome> => store.read({ ...ref, id });

/** A search of a chart. */
export const search = (store: ClinicalStore): Promise<Outcome> =>
  store.search({
    type: 'Goal',
    conditions: [{ on: 'patient', anyOf: ['p'] }],
    start: { offset: 0 },
    count: 10,
    withTotal: true,
  });

/** Each call has failed with the sentence. */
export const expectUnavailable = (outcomes: readonly Outcome[], message: string): void => {
  expect(outcomes).toEqual(
    outcomes.map(() => ({ _tag: 'Left', left: { _tag: 'Unavailable', message, cause: expect.any(Error) } })),
  );
};

/** The store reads, finds and writes, and has these records and no other. */
export const expectSound = async (store: ClinicalStore, ids: readonly string[]): Promise<void> => {
  expect(await commit(store, 'afterwards')).toMatchObject({ _tag: 'Right' });
  const feed = await resultOf(store.changesSince({ limit: 10_000 }));
  expect(feed.map(({ id }) => id).toSorted()).toEqual([...ids, 'afterwards'].toSorted());
  expect(feed.map(({ position }) => position)).toEqual(feed.map((_, at) => `${at + 1}`));
  expect(await search(store)).toMatchObject({ right: { total: ids.length + 1 } });
  expect(await read(store, 'afterwards')).toMatchObject({ right: { id: 'afterwards' } });
};
