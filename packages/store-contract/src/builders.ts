import {
  anyVersion,
  type ClinicalStore,
  type IndexEntry,
  type Position,
  type RecordChange,
  type RecordRef,
  type SearchCondition,
  type SearchMatch,
  type SearchQuery,
  type StoredRecord,
  type StoredVersion,
  type StoreError,
  type StoreOutcome,
  type VersionCheck,
} from '@clinical-records/core/store';
import { isLeft } from 'fp-ts/lib/Either.js';

/**
 * A change of a record of one type and patient that expects any version; `overrides` are the properties that matter to
 * a test.
 */
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

/** The stored record that a change becomes at a version. */
export const versionOf = (written: RecordChange, version: number): StoredRecord => {
  const { index: _index, expects: _expects, ...record } = written;
  return { ...record, version };
};

/** The match of a search for a record. */
export const matchOf = ({
  id,
  version,
  at,
  resource,
}: Pick<StoredRecord, 'id' | 'version' | 'at' | 'resource'>) => ({
  id,
  version,
  at,
  resource,
});

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

export const word = (parameter: string, text: string): Entry<'string'> => ({
  kind: 'string',
  parameter,
  word: text,
});

export const date = (parameter: string, from: number, until: number): Entry<'date'> => ({
  kind: 'date',
  parameter,
  from,
  until,
});

/** A search for the first hundred records that meet conditions; `overrides` are its other properties. */
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

/** The result of a call. An error fails the test. */
export const resultOf = async <A>(called: StoreOutcome<A>): Promise<A> => {
  const outcome = await called;
  if (isLeft(outcome)) throw new Error(`The store returned the error ${JSON.stringify(outcome.left)}.`);
  return outcome.right;
};

/** The error of a call. A result fails the test. */
export const errorOf = async (called: StoreOutcome<unknown>): Promise<StoreError> => {
  const outcome = await called;
  if (isLeft(outcome)) return outcome.left;
  throw new Error('The store returned a result instead of an error.');
};

export const commit = (
  store: ClinicalStore,
  changes: readonly RecordChange[],
  versionChecks: readonly VersionCheck[] = [],
) => resultOf(store.commit({ changes, versionChecks }));

export const refOf = ({ type, id }: RecordRef): RecordRef => ({ type, id });

/** The history of a record, if it has at most a hundred versions. */
export const readHistory = (store: ClinicalStore, ref: RecordRef): Promise<readonly StoredVersion[]> =>
  resultOf(store.history({ ...refOf(ref), limit: 100 }));

/** Every version of a record, newest first, if it has at most a hundred. */
export const readVersions = async (
  store: ClinicalStore,
  ref: RecordRef,
): Promise<readonly (StoredRecord | null)[]> =>
  Promise.all(
    (await readHistory(store, ref)).map(({ version }) =>
      resultOf(store.readVersion({ ...refOf(ref), version })),
    ),
  );

/** Writes each change in a commit of its own, one after the other. */
export const write = async (store: ClinicalStore, ...changes: readonly RecordChange[]): Promise<void> => {
  for (const written of changes) await commit(store, [written]);
};

const orderedCalls = (store: ClinicalStore): readonly (() => StoreOutcome<unknown>)[] => {
  const searchInOrder = store.searchInOrder?.bind(store);
  const conditions: readonly SearchCondition[] = [{ on: 'patient', anyOf: ['patient-1'] }];
  const ordered = {
    ...query(conditions),
    start: { offset: 0 },
    order: { on: 'at', isDescending: true },
  } as const;
  return searchInOrder === undefined ? [] : [() => searchInOrder(ordered)];
};

/** A call of each function of a store, but `close`. */
export const everyCall = (store: ClinicalStore): readonly (() => StoreOutcome<unknown>)[] => [
  () => store.read(change()),
  () => store.readResource(change()),
  () => store.search(query()),
  ...orderedCalls(store),
  () => store.commit({ changes: [change()], versionChecks: [] }),
  () => store.commitAll([{ changes: [change()], versionChecks: [] }], []),
  () => store.readVersion(versionOf(change(), 1)),
  () => store.history({ ...refOf(change()), limit: 1 }),
  () => store.changesSince({ limit: 1 }),
  () => store.feedEnd(),
  () => store.scan({ limit: 1 }),
  () => store.indexedParameters(),
];

/** Waits for the next turn of the event loop, so that everything that can be done in this one is done. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The ids of matches, in their order. */
export const idsOf = (matches: readonly Pick<SearchMatch, 'id'>[]): readonly string[] =>
  matches.map(({ id }) => id);

export const findIds = async (store: ClinicalStore, ...conditions: readonly SearchCondition[]) =>
  idsOf((await resultOf(store.search(query(conditions)))).matches);

/** Texts that are not among some positions: similar to them, from another store, or far from all of them. */
export const unlike = (
  positions: readonly Position[],
  elsewhere: Position | undefined,
): readonly Position[] => {
  const alike = positions.flatMap((position) => [
    ` ${position}`,
    `${position} `,
    `0${position}`,
    `${position}.0`,
  ]);
  const texts = ['', ' ', '0', '-1', '1.5', 'NaN', 'Infinity', '9'.repeat(30), ...alike, elsewhere ?? ''];
  return texts.map((text) => text as Position).filter((position) => !positions.includes(position));
};
