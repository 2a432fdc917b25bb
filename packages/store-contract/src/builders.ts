import {
  anyVersion,
  type ClinicalStore,
  type IndexEntry,
  type Position,
  type RecordChange,
  type SearchCondition,
  type SearchMatch,
  type SearchQuery,
  type StoredRecord,
  type StoreError,
  type VersionCheck,
} from '@clinical-records/core';
import { isLeft } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** A change of a record of one type and patient, whatever is there; `given` says what matters. */
export const change = (overrides: Partial<RecordChange> = {}): RecordChange => ({
  type: 'Immunization',
  id: 'a',
  patientId: 'patient-1',
  at: 1_700_000_000_000,
  by: 'Practitioner/1',
  state: '{"state":1}',
  resource: '{"resource":1}',
  index: [],
  expects: anyVersion,
  ...overrides,
});

/** What a store keeps of a change that became such a version. */
export const versionOf = (written: RecordChange, version: number): StoredRecord => {
  const { index: _index, expects: _expects, ...record } = written;
  return { ...record, version };
};

/** What a search tells of a record. */
export const matchOf = ({ id, resource }: Pick<StoredRecord, 'id' | 'resource'>) => ({ id, resource });

type Entry<Kind> = Extract<IndexEntry, { kind: Kind }>;

export const token = (parameter: string, code: string, system = ''): Entry<'token'> => ({
  kind: 'token',
  parameter,
  system,
  code,
});

export const reference = (parameter: string, type: string, id: string): Entry<'reference'> => ({
  kind: 'reference',
  parameter,
  type,
  id,
});

export const date = (parameter: string, from: number, until: number): Entry<'date'> => ({
  kind: 'date',
  parameter,
  from,
  until,
});

/** The first hundred of what meets the conditions; `given` says what is different. */
export const query = (
  conditions: readonly SearchCondition[] = [],
  overrides: Partial<SearchQuery> = {},
): SearchQuery => ({
  type: 'Immunization',
  conditions,
  start: { offset: 0 },
  count: 100,
  withTotal: true,
  ...overrides,
});

/** What a task answers; if it fails, so does the test. */
export const resultOf = async <A>(task: TaskEither<StoreError, A>): Promise<A> => {
  const outcome = await task();
  if (isLeft(outcome)) throw new Error(`The store answered ${JSON.stringify(outcome.left)}.`);
  return outcome.right;
};

/** How a task fails; if it succeeds, the test fails. */
export const errorOf = async (task: TaskEither<StoreError, unknown>): Promise<StoreError> => {
  const outcome = await task();
  if (isLeft(outcome)) return outcome.left;
  throw new Error('The store answered where it had to refuse.');
};

export const commit = (
  store: ClinicalStore,
  changes: readonly RecordChange[],
  versionChecks: readonly VersionCheck[] = [],
) => resultOf(store.commit({ changes, versionChecks }));

/** Writes each change in a commit of its own, one after the other. */
export const write = async (store: ClinicalStore, ...changes: readonly RecordChange[]): Promise<void> => {
  for (const one of changes) await commit(store, [one]);
};

/** A task of each function that a store has. */
export const everyTask = (store: ClinicalStore): readonly TaskEither<StoreError, unknown>[] => [
  store.read(change()),
  store.readResource(change()),
  store.search(query()),
  store.commit({ changes: [change()], versionChecks: [] }),
  store.history(change()),
  store.changesSince({ limit: 1 }),
  store.scan({ limit: 1 }),
  store.close(),
];

/** A later turn of the event loop: what can be done in this one is done by then. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The ids of the records found by conditions, in their order. */
export const idsOf = (matches: readonly Pick<SearchMatch, 'id'>[]): readonly string[] =>
  matches.map(({ id }) => id);

export const findIds = async (store: ClinicalStore, ...conditions: readonly SearchCondition[]) =>
  idsOf((await resultOf(store.search(query(conditions)))).matches);

/** Texts that are none of some positions: like them, of another store, or far from any. */
export const unlike = (known: readonly Position[], elsewhere: Position | undefined): readonly Position[] => {
  const alike = known.flatMap((position) => [
    ` ${position}`,
    `${position} `,
    `0${position}`,
    `${position}.0`,
  ]);
  const others = ['', ' ', '0', '-1', '1.5', 'NaN', 'Infinity', '9'.repeat(30), ...alike, elsewhere ?? ''];
  return others.map((one) => one as Position).filter((position) => !known.includes(position));
};
