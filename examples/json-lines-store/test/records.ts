import { Any, type Change, type ClinicalStore, type StoreError } from '@clinical-records/core';
import { isLeft } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

export const change = (id: string, given: Partial<Change> = {}): Change => ({
  type: 'Goal',
  id,
  patientId: '7',
  at: 1_700_000_000_000,
  by: null,
  state: '{}',
  resource: '{"note":"é"}',
  index: [{ kind: 'token', parameter: 'status', system: '', code: 'active' }],
  expects: Any,
  ...given,
});

export const answer = async <A>(task: TaskEither<StoreError, A>): Promise<A> => {
  const outcome = await task();
  if (isLeft(outcome)) throw new Error(`The store answered ${JSON.stringify(outcome.left)}.`);
  return outcome.right;
};

export const commit = (store: ClinicalStore, ...changes: readonly Change[]) =>
  answer(store.commit({ changes, premises: [] }));

/** All that a store tells. */
export const everythingIn = async (store: ClinicalStore) => ({
  feed: await answer(store.changesSince({ position: 0, limit: 100_000 })),
  records: await answer(store.scan({ position: 0, limit: 100_000 })),
});
