import {
  anyVersion,
  type ClinicalStore,
  type RecordChange,
  type StoreOutcome,
} from '@clinical-records/core/store';
import { isLeft } from 'fp-ts/lib/Either.js';

export const change = (id: string, overrides: Partial<RecordChange> = {}): RecordChange => ({
  type: 'Goal',
  id,
  patientId: '7',
  at: 1_700_000_000_000,
  by: null,
  state: '{}',
  resource: '{"note":"é"}',
  index: [{ kind: 'token', parameter: 'status', system: '', code: 'active' }],
  expects: anyVersion,
  ...overrides,
});

export const resultOf = async <A>(called: StoreOutcome<A>): Promise<A> => {
  const outcome = await called;
  if (isLeft(outcome)) throw new Error(`The store returned ${JSON.stringify(outcome.left)}.`);
  return outcome.right;
};

export const commit = (store: ClinicalStore, ...changes: readonly RecordChange[]) =>
  resultOf(store.commit({ changes, versionChecks: [] }));

/** The whole content of a store. */
export const readEverything = async (store: ClinicalStore) => ({
  feed: await resultOf(store.changesSince({ limit: 100_000 })),
  records: await resultOf(store.scan({ limit: 100_000 })),
});
