import * as E from 'fp-ts/lib/Either.js';
import type { AccessOptions } from '../access/access.ts';
import type { ChartLimit, ReadOptions } from '../access/chart-limit.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, invalidRequest, notFound, type Outcome, toClinicalError } from '../errors.ts';
import type { BundleUrls } from '../fhir/bundle.ts';
import { ClinicalRecordsError, type EithersOf, orThrow, toOutcome } from '../outcome.ts';
import { mergeConditions } from '../search/merge-conditions.ts';
import { maxPageBytes, type PageEnd, pageOriginOf, unknownCursorIssue } from '../search/paging.ts';
import {
  type ParsedSearch,
  pageParameters,
  parseSearch,
  type ResultParameterTable,
} from '../search/parse-search.ts';
import type { SearchContent, SearchPairs, SearchSort } from '../search/search-input.ts';
import { sortOf, sortParameter } from '../search/sort.ts';
import type { ClinicalStore, SearchMatch, StoredRecord, StoredVersion } from '../store/port.ts';
import type { SearchCondition } from '../store/query.ts';
import type { SearchFacts } from './definition.ts';
import {
  createFind,
  createOrderedFind,
  createSortedFind,
  type Find,
  type FoundMatch,
  type FoundPage,
  sortValuesOf,
  timeOrderOf,
  walkPages,
} from './find.ts';
import { createHistoryReads, type HistoryReads } from './history.ts';
import {
  findIncluded,
  hostReader,
  type IncludeTable,
  includeParameters,
  requestedIncludes,
} from './include.ts';
import {
  createResourceVersion,
  matchText,
  type ResourceVersion,
  renderSearchPage,
  returnedPage,
  returnedVersion,
} from './page.ts';
import { createVersionReader, type VersionReader, walkHistory } from './past-versions.ts';
import { limitOf, openReach, type Reach } from './reach.ts';

/**
 * Reads of one type of resource that return the stored JSON text, with its `meta`, without parsing it. `Search` holds the
 * search parameters of the type.
 */
export type JsonReads<Search = never> = HistoryReads & {
  /** A resource as JSON text, with its version. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly read: (id: string, options?: ChartLimit & AccessOptions) => Promise<ResourceVersion>;
  /** A `Bundle` as JSON text. Errors: `InvalidRequest`, `Forbidden`, `TooCostly`, `StoreFailure`. */
  readonly search: (
    parameters: (Search & SearchContent & SearchSort) | SearchPairs,
    options?: ReadOptions,
  ) => Promise<string>;
  /**
   * The JSON text of each resource that matches, oldest first. A page is read when its first resource is requested, whatever
   * `_count` is. So a resource that is created before the last page is read is included. Throws the errors of `search`.
   */
  readonly all: (
    parameters?: Search | SearchPairs,
    options?: Omit<ReadOptions, keyof BundleUrls>,
  ) => AsyncGenerator<string, void>;
};

/** Whether a version of a record can be a match, by its id and its patient. */
const canMatch = (
  conditions: readonly SearchCondition[],
  { id, patientId }: Pick<StoredRecord, 'id' | 'patientId'>,
): boolean =>
  conditions.every((condition) => {
    if (condition.on === 'id') return condition.anyOf.includes(id);
    return condition.on !== 'patient' || (patientId !== null && condition.anyOf.includes(patientId));
  });

/** Changes how the matches of a page are shown, for a caller with these options. */
export type ShowMatches = (
  matches: readonly FoundMatch[],
  options: ReadOptions,
) => Outcome<readonly FoundMatch[]>;

export type ReadDefinition = {
  readonly facts: SearchFacts;
  /** The resources that a search can add to its matches. */
  readonly includes?: () => IncludeTable;
  /** Finds the matches, if the search stores some of them first, or finds others than it was asked for. */
  readonly find?: Find;
  /** Shows matches, if they are not shown as they are stored. */
  readonly show?: ShowMatches;
  /** Reads the versions, if they are not those of the stored record with the id. */
  readonly versions?: VersionReader;
};

/** A parsed search, and its conditions within the reach of its caller. `authorize` is not asked yet. */
export type ResourceSearch = {
  readonly search: ParsedSearch;
  readonly reach: Reach;
  readonly limited: readonly SearchCondition[];
};

/** A page, and the conditions of its search within the reach of the caller. */
type ReachedPage = FoundPage & { readonly conditions: readonly SearchCondition[] };

/**
 * Creates the check of a cursor. It is refused if its record is out of reach of the search, whether it is in another chart or does not
 * exist. A record that was within reach may have been moved to another chart, or changed, since it was shown.
 */
const createCursorCheck =
  (store: ClinicalStore, type: string) =>
  async ({ after: id }: PageEnd, conditions: readonly SearchCondition[], reach: Reach): Outcome<void> => {
    const outOfReach = E.left(invalidRequest(unknownCursorIssue));
    const record = await store.read({ type, id });
    if (E.isLeft(record)) return E.left(toClinicalError(record.left));
    if (record.right === null) return outOfReach;
    if (canMatch(conditions, record.right) && reach.covers(record.right)) return E.right(undefined);
    const wasReached = async ({ version, patientId }: StoredVersion): Promise<boolean> => {
      if (!canMatch(conditions, { id, patientId })) return false;
      if (!reach.limitsResources) return true;
      const stored = await orThrow(store.readVersion({ type, id, version }));
      return stored !== null && reach.covers(stored);
    };
    const wasWithinReach = await toOutcome(async () => {
      for await (const versions of walkHistory(store, { type, id })) {
        for (const version of versions) if (await wasReached(version)) return true;
      }
      return false;
    });
    if (E.isLeft(wasWithinReach)) return wasWithinReach;
    return wasWithinReach.right ? E.right(undefined) : outOfReach;
  };

/** Creates the parser of searches, which limits them to the reach of their callers. */
const createSearchParser =
  ({ zone, now }: Pick<Environment, 'zone' | 'now'>, facts: SearchFacts) =>
  (
    parameters: SearchPairs | object,
    options: ReadOptions,
    results: ResultParameterTable,
  ): E.Either<ClinicalError, ResourceSearch> => {
    const { parameters: declared } = facts;
    const { handling = 'strict', baseUrl } = options;
    const time = { zone, now: now() };
    const parsed = parseSearch(parameters, { declared, isStored: true, results, handling, time, baseUrl });
    if (E.isLeft(parsed)) return parsed;
    const reach = openReach(options, { facts, zone, now });
    if (E.isLeft(reach)) return reach;
    const limited = reach.right.limit(parsed.right.conditions);
    if (E.isLeft(limited)) return limited;
    return E.right({ search: parsed.right, reach: reach.right, limited: limited.right });
  };

/** Creates the searches of a type, as far as their callers reach it. */
export const createSearches = (
  environment: Environment,
  { facts, find: ownFind }: Pick<ReadDefinition, 'facts' | 'find'>,
) => {
  const { store, zone, searchSteps } = environment;
  const { type, parameters: declared } = facts;
  const find = ownFind ?? createFind(store);
  const limits = { maxBytes: maxPageBytes, maxSteps: searchSteps };
  const requireCursor = createCursorCheck(store, type);
  const parse = createSearchParser(environment, facts);

  /** The conditions that `authorize` allows, if the place where the page begins is within them. */
  const reachConditions = async ({
    search,
    reach,
    limited,
  }: ResourceSearch): Outcome<readonly SearchCondition[]> => {
    const conditions = await reach.authorized(mergeConditions(limited));
    const { cursor } = search.paging;
    if (cursor === null) return E.right(conditions);
    return E.map(() => conditions)(await requireCursor(cursor, conditions, reach));
  };

  /** Finds the matches in the order that a search asks for, if it does. */
  const findInOrder = (search: ParsedSearch): Find => {
    const sort = sortOf(search);
    if (sort === undefined) return find;
    const valuesOf = sortValuesOf(sort, { parameters: declared, zone });
    const findSorted = createSortedFind(find, sort, valuesOf);
    const order = timeOrderOf(sort, declared);
    return order === null || ownFind !== undefined
      ? findSorted
      : createOrderedFind(store, findSorted, { sort, order, valuesOf });
  };

  /** Finds the page of a search. */
  const findPage = async (
    parsed: ResourceSearch,
    count: number = parsed.search.paging.count,
  ): Outcome<ReachedPage> => {
    const reached = await reachConditions(parsed);
    if (E.isLeft(reached)) return reached;
    const conditions = reached.right;
    const query = { type, conditions, count, withTotal: true, ...limits };
    const page = await findInOrder(parsed.search)(query, pageOriginOf(parsed.search.paging));
    return E.isLeft(page) ? page : E.right({ ...page.right, conditions });
  };

  return {
    parse,
    findPage,

    /** The number of resources that match. */
    count: async (parameters: SearchPairs, options: ReadOptions): Outcome<number> => {
      const parsed = parse(parameters, options, {});
      if (E.isLeft(parsed)) return parsed;
      return E.map(({ total }: ReachedPage) => total ?? 0)(await findPage(parsed.right, 0));
    },

    /** Yields all matches, and reports each page that is found, if the caller asks for it. Throws a `ClinicalRecordsError`. */
    walk: async function* (parsed: ResourceSearch): AsyncGenerator<SearchMatch, void> {
      const { search, reach } = parsed;
      const conditions = await orThrow(reachConditions(parsed));
      const findReported: Find = async (query, origin) => {
        const page = await find(query, origin);
        if (E.isRight(page)) {
          const { matches } = page.right;
          reach.report(() => returnedPage(type, { named: search.conditions, reached: conditions, matches }));
        }
        return page;
      };
      yield* walkPages(findReported)({ type, conditions, ...limits }, pageOriginOf(search.paging));
    },
  };
};

/** The resources that a search can include, and its result parameters. */
type DeclaredResults = { readonly includes: IncludeTable; readonly parameters: ResultParameterTable };

const noneIncluded = E.right([]);

/** The reads of a type, and the number of the resources that a search finds. */
export type CountedReads<Search extends object = object> = EithersOf<JsonReads<Search>> &
  Pick<ReturnType<typeof createSearches>, 'count'>;

export const createJsonReads = (
  environment: Environment,
  {
    facts,
    includes = () => ({}),
    find,
    show = async (matches) => E.right(matches),
    versions = createVersionReader(environment, facts),
  }: ReadDefinition,
): CountedReads => {
  const { store, zone, now } = environment;
  const { type, parameters: declared } = facts;
  const { parse, findPage, walk, count } = createSearches(environment, { facts, ...(find && { find }) });

  let declaredResults: DeclaredResults | undefined;
  /** Declares the result parameters of a search. `all`, which yields the matches in their order, has none. */
  const declareResults = (): DeclaredResults => {
    const table = includes();
    const parameters = { ...includeParameters(table), ...pageParameters, ...sortParameter(declared) };
    return { includes: table, parameters };
  };

  return {
    read: async (id, options = {}) => {
      const reach = openReach(options, { facts, zone, now });
      if (E.isLeft(reach)) return reach;
      const { shows, report } = reach.right;
      const resource = await store.readResource({ type, id });
      if (E.isLeft(resource)) return E.left(toClinicalError(resource.left));
      const stored = resource.right;
      if (stored === null || !(await shows({ ...stored, id }))) return E.left(notFound(type, id));
      const version = createResourceVersion(type, id, stored);
      report(() => ({ resources: returnedVersion(type)(version), searchedPatientIds: [] }));
      return E.right(version);
    },

    search: async (parameters, options = {}) => {
      declaredResults ??= declareResults();
      const parsed = parse(parameters, options, declaredResults.parameters);
      if (E.isLeft(parsed)) return parsed;
      const { search, reach } = parsed.right;
      const limitByType = limitOf(options);
      const requested = requestedIncludes(declaredResults.includes, search, limitByType);
      if (E.isLeft(requested)) return requested;
      const page = await findPage(parsed.right);
      if (E.isLeft(page)) return page;
      const shown = await show(page.right.matches, options);
      if (E.isLeft(shown)) return shown;
      const matches = shown.right;
      const found = { type, matches, limitOf: limitByType, openReferenced: hostReader(options) };
      const includedOutcome =
        requested.right.length === 0 ? noneIncluded : await findIncluded(requested.right, found);
      if (E.isLeft(includedOutcome)) return includedOutcome;
      const included = includedOutcome.right;
      const conditions = { named: search.conditions, reached: page.right.conditions };
      reach.report(() => returnedPage(type, { ...conditions, matches, included }));
      return E.right(
        renderSearchPage({ facts, search }, { ...page.right, matches }, { included, urls: options }),
      );
    },

    count,

    all: async function* (parameters = {}, options = {}) {
      const parsed = parse(parameters, options, {});
      if (E.isLeft(parsed)) throw new ClinicalRecordsError(parsed.left);
      for await (const match of walk(parsed.right)) yield matchText(type, match);
    },

    ...createHistoryReads({ zone, now }, { facts, versions }),
  };
};
