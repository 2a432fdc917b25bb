import * as E from 'fp-ts/lib/Either.js';
import { digestsOf } from '../search/index-entries.ts';
import type { IndexedParameters } from '../store/index-entry.ts';
import type { ClinicalStore, Commit, SearchPage, StoreOutcome } from '../store/port.ts';
import type { OrderedQuery, SearchCondition, SearchQuery, TimeOrder } from '../store/query.ts';
import type { StoreError } from '../store/store-error.ts';
import type { RecordDefinitions, SearchFacts } from './definition.ts';

/** The knowledge about the index of a store, which all calls on the store share. */
export type IndexState = {
  /** How this process indexes by each search parameter, such as `Goal.code`. */
  readonly digests: IndexedParameters;
  /** How the store said that all records are indexed, when it was last asked; null if it was not. */
  indexed: IndexedParameters | null;
  /** Whether this process has written. */
  hasWritten: boolean;
};

/** The knowledge about another store: none yet. */
export const unknownIndex = ({ digests }: Pick<IndexState, 'digests'>): IndexState => ({
  digests,
  indexed: null,
  hasWritten: false,
});

/** The state before the first call, by the facts about all types that are searched. */
export const createIndexState = (
  searched: readonly Pick<SearchFacts, 'type' | 'parameters'>[],
  timeZone = 'UTC',
): IndexState =>
  unknownIndex({
    digests: Object.fromEntries(
      searched.flatMap(({ type, parameters }) =>
        digestsOf(parameters, timeZone).map(([name, digest]) => [`${type}.${name}`, digest]),
      ),
    ),
  });

/** The definitions of all records, and the knowledge about their index. */
export type StoredRecords = { readonly definitions: RecordDefinitions; readonly index: IndexState };

/** The name of the parameter of an index entry. That which says whether there is a value has a modifier behind the name. */
export const indexedName = (type: string, parameter: string): string =>
  `${type}.${parameter.replace(/:.*/, '')}`;

/** The text of a parameter by which a version of the library has indexed all records, and another one has written since. */
const notIndexed = '';

const typeOf = (name: string): string => name.slice(0, name.indexOf('.'));

/** The parameters whose index entries a search looks at. */
const parametersIn = ({
  type,
  conditions,
  order,
}: Pick<SearchQuery, 'type' | 'conditions'> & { readonly order?: TimeOrder }): readonly string[] => {
  const parts = conditions.map((condition: SearchCondition) =>
    condition.on === 'not' ? condition.condition : condition,
  );
  return [...parts, ...(order === undefined ? [] : [order])].flatMap((part) =>
    'parameter' in part ? [indexedName(type, part.parameter)] : [],
  );
};

/** Whether no record of a type has a resource, so that there is nothing to index. */
const isEmpty = async (store: ClinicalStore, type: string): StoreOutcome<boolean> => {
  const query = { type, conditions: [], start: { offset: 0 }, count: 1, withTotal: false };
  const page = await store.search(query);
  return E.isLeft(page) ? page : E.right(page.right.matches.length === 0);
};

const isCurrent =
  ({ digests, indexed }: IndexState) =>
  (name: string): boolean =>
    digests[name] !== undefined && digests[name] === indexed?.[name];

/** Reads how the store says that all records are indexed. */
const readIndexed = async (store: ClinicalStore, state: IndexState): StoreOutcome<IndexedParameters> => {
  const read = await store.indexedParameters();
  if (E.isRight(read)) state.indexed = read.right;
  return read;
};

/** The parameters, among some, of which the store does not say that records are indexed as this process does it. */
export const findNotIndexed = async (
  store: ClinicalStore,
  state: IndexState,
  names: readonly string[] = Object.keys(state.digests),
): StoreOutcome<readonly string[]> => {
  const read = await readIndexed(store, state);
  return E.isLeft(read) ? read : E.right(names.filter((name) => !isCurrent(state)(name)));
};

/** The parameters of types that have records. */
export const ofTypesWithRecords = async (
  store: ClinicalStore,
  names: readonly string[],
): StoreOutcome<readonly string[]> => {
  const types = [...new Set(names.map(typeOf))];
  const empty = E.sequenceArray(await Promise.all(types.map((type) => isEmpty(store, type))));
  return E.map((areEmpty: readonly boolean[]) =>
    names.filter((name) => !areEmpty[types.indexOf(typeOf(name))]),
  )(empty);
};

/** The parameters, among some, by which a search might not find records. */
const findOutdated = async (
  store: ClinicalStore,
  state: IndexState,
  names?: readonly string[],
): StoreOutcome<readonly string[]> => {
  const found = await findNotIndexed(store, state, names);
  return E.isLeft(found) ? found : ofTypesWithRecords(store, found.right);
};

/** The types of which a store has resources, and which this process does not define. */
export const findUndefinedTypes = async (
  store: ClinicalStore,
  { definitions, index }: StoredRecords,
): StoreOutcome<readonly string[]> => {
  const read = await readIndexed(store, index);
  if (E.isLeft(read)) return read;
  const unknown = Object.keys(read.right).filter((name) => !definitions.has(typeOf(name)));
  const ofRecords = await ofTypesWithRecords(store, unknown);
  return E.map((names: readonly string[]) => [...new Set(names.map(typeOf))])(ofRecords);
};

/** The outdated parameters of a store, and with them those that only another version of the library has. */
export const inspectIndex = async (
  store: ClinicalStore,
  state: IndexState,
): StoreOutcome<{ readonly outdated: readonly string[]; readonly foreign: ReadonlySet<string> }> => {
  const outdated = await findOutdated(store, state);
  if (E.isLeft(outdated)) return outdated;
  const unknown = Object.keys(state.indexed ?? {}).filter((name) => state.digests[name] === undefined);
  return E.right({ outdated: outdated.right, foreign: new Set([...outdated.right, ...unknown]) });
};

/**
 * The changes that come with the first write of a process. A type without records is indexed by all of its parameters from then on.
 * A parameter that the process does not know, or by which it indexes in another way than the store says, is not indexed any more: a
 * search by it would not find what the process writes.
 */
const findFirstChanges = async (
  store: ClinicalStore,
  { digests }: IndexState,
  indexed: IndexedParameters,
): StoreOutcome<IndexedParameters> => {
  const [names, indexedNames] = [Object.keys(digests), Object.keys(indexed)];
  const [types, indexedTypes] = [new Set(names.map(typeOf)), new Set(indexedNames.map(typeOf))];
  const withdrawn = indexedNames.filter(
    (name) => types.has(typeOf(name)) && indexed[name] !== notIndexed && indexed[name] !== digests[name],
  );
  const ofNewTypes = names.filter((name) => !indexedTypes.has(typeOf(name)));
  const outdated = await ofTypesWithRecords(store, ofNewTypes);
  if (E.isLeft(outdated)) return outdated;
  const begun = ofNewTypes.filter((name) => !outdated.right.includes(name));
  return E.right(
    Object.fromEntries([
      ...withdrawn.map((name) => [name, notIndexed]),
      ...begun.map((name) => [name, digests[name]]),
    ]),
  );
};

const parametersCommit = (parameters: IndexedParameters): Commit => ({
  changes: [],
  versionChecks: [],
  reindexing: { records: [], parameters },
});

/** The commit after which a store says that all records are indexed as this process does it. */
export const indexedCommit = ({ digests }: IndexState): Commit => parametersCommit(digests);

/** Prepares a store for the first write of this process. */
const prepareWrite = async (store: ClinicalStore, state: IndexState): StoreOutcome<unknown> => {
  const read = await readIndexed(store, state);
  if (E.isLeft(read)) return read;
  const changes = await findFirstChanges(store, state, read.right);
  if (E.isLeft(changes)) return changes;
  if (Object.keys(changes.right).length > 0) {
    const committed = await store.commit(parametersCommit(changes.right));
    if (E.isLeft(committed)) return committed;
  }
  state.indexed = { ...read.right, ...changes.right };
  state.hasWritten = true;
  return E.right(undefined);
};

const outdatedIndex = (names: readonly string[]): StoreError => ({
  _tag: 'OutdatedIndex',
  message: `The records are not indexed by ${names.join(', ')} as this version of the library does it.`,
  cause: null,
});

/**
 * The store, which refuses a search by parameters by which records may not be indexed. It calls the functions of the store, which may
 * be a class or be replaced in a test.
 */
export const withSearchIndex = <Connection>(
  store: ClinicalStore<Connection>,
  state: IndexState,
): ClinicalStore<Connection> => {
  let preparing: StoreOutcome<unknown> | null = null;
  const prepared = async <A>(write: () => StoreOutcome<A>): StoreOutcome<A> => {
    preparing ??= prepareWrite(store, state).finally(() => {
      preparing = null;
    });
    const outcome = await preparing;
    return E.isLeft(outcome) ? outcome : write();
  };
  const whenPrepared = <A>(write: () => StoreOutcome<A>): StoreOutcome<A> =>
    state.hasWritten ? write() : prepared(write);
  const whenIndexed = async (
    names: readonly string[],
    search: () => StoreOutcome<SearchPage>,
  ): StoreOutcome<SearchPage> => {
    const outdated = await findOutdated(store, state, names);
    if (E.isLeft(outdated)) return outdated;
    return outdated.right.length > 0 ? E.left(outdatedIndex(outdated.right)) : search();
  };
  const ifIndexed = (
    query: Pick<SearchQuery, 'type' | 'conditions'>,
    search: () => StoreOutcome<SearchPage>,
  ): StoreOutcome<SearchPage> => {
    const names = parametersIn(query);
    return names.every(isCurrent(state)) ? search() : whenIndexed(names, search);
  };
  const searchInOrder = store.searchInOrder?.bind(store);
  return {
    read: (ref) => store.read(ref),
    readResource: (ref) => store.readResource(ref),
    search: (query) => ifIndexed(query, () => store.search(query)),
    ...(searchInOrder !== undefined && {
      searchInOrder: (query: OrderedQuery) => ifIndexed(query, () => searchInOrder(query)),
    }),
    readVersion: (ref) => store.readVersion(ref),
    history: (range) => store.history(range),
    changesSince: (range) => store.changesSince(range),
    feedEnd: () => store.feedEnd(),
    scan: (range) => store.scan(range),
    indexedParameters: () => store.indexedParameters(),
    close: () => store.close(),
    ...(store.begin !== undefined && { begin: store.begin }),
    ...(store.callContext !== undefined && { callContext: store.callContext }),
    commit: (commit) => whenPrepared(() => store.commit(commit)),
    commitAll: (commits, writes) => whenPrepared(() => store.commitAll(commits, writes)),
  };
};
