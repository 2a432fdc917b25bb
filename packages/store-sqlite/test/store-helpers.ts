import {
  anyVersion,
  type ClinicalStore,
  type RecordChange,
  type StoreOutcome,
} from '@clinical-records/core/store';
import { isLeft } from 'fp-ts/lib/Either.js';

export const ref = { type: 'Goal', id: 'a' };

export const change = (overrides: Partial<RecordChange> = {}): RecordChange => ({
  ...ref,
  patientId: 'p',
  at: 1,
  by: null,
  state: '{}',
  resource: '{}',
  index: [{ kind: 'token', parameter: 'status', system: '', code: 'active' }],
  expects: anyVersion,
  ...overrides,
});

export const resultOf = async <A>(called: StoreOutcome<A>): Promise<A> => {
  const outcome = await called;
  if (isLeft(outcome)) throw new Error(`The store returned ${JSON.stringify(outcome.left)}.`);
  return outcome.right;
};

/** The outcome of a commit, even if it is refused. */
export const tryWrite = (store: ClinicalStore, ...changes: readonly RecordChange[]) =>
  store.commit({ changes, versionChecks: [] });

export const write = (store: ClinicalStore, ...changes: readonly RecordChange[]) =>
  resultOf(tryWrite(store, ...changes));

/** The ids of all Goals that are active. */
export const findActive = async (store: ClinicalStore): Promise<readonly string[]> => {
  const status = { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'active' }] } as const;
  const query = { type: 'Goal', conditions: [status], start: { offset: 0 }, count: 1000, withTotal: true };
  return (await resultOf(store.search(query))).matches.map(({ id }) => id);
};
