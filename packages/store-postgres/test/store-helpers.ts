import {
  anyVersion,
  type ClinicalStore,
  type RecordChange,
  type StoreError,
} from '@clinical-records/core/store';
import { isLeft } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

export const ref = { type: 'Goal', id: 'a' };

export const change = (overrides: Partial<RecordChange> = {}): RecordChange => ({
  ...ref,
  patientId: 'p',
  at: 1,
  by: null,
  state: '{}',
  resource: '{}',
  index: [],
  expects: anyVersion,
  ...overrides,
});

export const resultOf = async <A>(task: TaskEither<StoreError, A>): Promise<A> => {
  const outcome = await task();
  if (isLeft(outcome)) throw new Error(`The store returned ${JSON.stringify(outcome.left)}.`);
  return outcome.right;
};

export const write = (store: ClinicalStore, ...changes: readonly RecordChange[]) =>
  resultOf(store.commit({ changes, versionChecks: [] }));
