import { Any, type Change, type ClinicalStore, type StoreError } from '@clinical-records/core';
import { isLeft } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

export const ref = { type: 'Goal', id: 'a' };

export const change = (given: Partial<Change> = {}): Change => ({
  ...ref,
  patientId: 'p',
  at: 1,
  by: null,
  state: '{}',
  resource: '{}',
  index: [{ kind: 'token', parameter: 'status', system: '', code: 'active' }],
  expects: Any,
  ...given,
});

export const answer = async <A>(task: TaskEither<StoreError, A>): Promise<A> => {
  const outcome = await task();
  if (isLeft(outcome)) throw new Error(`The store answered ${JSON.stringify(outcome.left)}.`);
  return outcome.right;
};

/** What a store answers to a commit, be it that it refuses. */
export const tryToWrite = (store: ClinicalStore, ...changes: readonly Change[]) =>
  store.commit({ changes, premises: [] })();

export const write = (store: ClinicalStore, ...changes: readonly Change[]) =>
  answer(() => tryToWrite(store, ...changes));

/** The ids of all Goals that are active. */
export const active = async (store: ClinicalStore): Promise<readonly string[]> => {
  const status = { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] } as const;
  const query = { type: 'Goal', conditions: [status], start: { offset: 0 }, count: 1000, withTotal: true };
  return (await answer(store.search(query))).matches.map(({ id }) => id);
};
