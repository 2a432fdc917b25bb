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
import type { StoredRecord, StoredVersion } from '../store/port.ts';
import type { SearchCondition } from '../store/query.ts';
import type { SearchFacts } from './definition.ts';
import { createFind, createSortedFind, type Find, type FoundMatch, sortValuesOf, walkPages } from './find.ts';
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
  type ResourceVersion,
  renderSearchPage,
  returnedPage,
  returnedVersion,
  textOf,
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
type ResourceSearch = {
  readonly search: ParsedSearch;
  readonly reach: Reach;
  readonly limited: readonly SearchCondition[];
};

/** The resources that a search can include, and its result parameters. */
type DeclaredResults = { readonly includes: IncludeTable; readonly parameters: ResultParameterTable };

const noneIncluded = E.right([]);

export const createJsonReads = (
  { store, zone, now, searchSteps }: Environment,
  {
    facts,
    includes = () => ({}),
    find = createFind(store),
    show,
    versions = createVersionReader({ store }, facts),
  }: ReadDefinition,
): EithersOf<JsonReads<object>> => {
  const { type, parameters: declared } = facts;

  /**
   * Refuses a cursor whose record is out of reach of the search, whether it is in another chart or does not exist. A record that
   * was within reach may have been moved to another chart, or changed, since it was shown.
   */
  const findCursor = async (
    { after }: PageEnd,
    conditions: readonly SearchCondition[],
    reach: Reach,
  ): Promise<E.Either<ClinicalError, void>> => {
    const outOfReach = E.left(invalidRequest(unknownCursorIssue));
    const ref = { type, id: after };
    const record = await store.read(ref);
    if (E.isLeft(record)) return E.left(toClinicalError(record.left));
    if (record.right === null) return outOfReach;
    if (canMatch(conditions, record.right) && reach.covers(record.right)) return E.right(undefined);
    const wasReached = async ({ version, patientId }: StoredVersion): Promise<boolean> => {
      if (!canMatch(conditions, { id: after, patientId })) return false;
      if (!reach.limitsResources) return true;
      const stored = await orThrow(store.readVersion({ ...ref, version }));
      return stored !== null && reach.covers(stored);
    };
    const wasWithinReach = await toOutcome(async () => {
      for await (const versions of walkHistory(store, ref)) {
        for (const version of versions) if (await wasReached(version)) return true;
      }
      return false;
    });
    if (E.isLeft(wasWithinReach)) return wasWithinReach;
    return wasWithinReach.right ? E.right(undefined) : outOfReach;
  };

  let declaredResults: DeclaredResults | undefined;
  /** Declares the result parameters of a search. None is for `all`, which yields the matches in their order. */
  const declareResults = (): DeclaredResults => {
    const table = includes();
    const parameters = { ...includeParameters(table), ...pageParameters, ...sortParameter(declared) };
    return { includes: table, parameters };
  };

  /** Finds the matches in the order that a search asks for, if it does. */
  const findInOrder = (search: ParsedSearch): Find => {
    const sort = sortOf(search);
    return sort === undefined
      ? find
      : createSortedFind(find, sort, sortValuesOf(sort, { parameters: declared, zone }));
  };

  /** Parses a search, and limits it to the reach of its caller. */
  const parse = (
    parameters: SearchPairs | object,
    options: ReadOptions,
    results: ResultParameterTable,
  ): E.Either<ClinicalError, ResourceSearch> => {
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

  /** Reports each page that is found, if the caller asks for it. */
  const reportPages =
    (conditions: Pick<Parameters<typeof returnedPage>[1], 'named' | 'reached'>, { report }: Reach): Find =>
    async (query, origin) => {
      const page = await find(query, origin);
      if (E.isRight(page)) {
        const { matches } = page.right;
        report(() => returnedPage(type, { ...conditions, matches }));
      }
      return page;
    };

  const limits = { maxBytes: maxPageBytes, maxSteps: searchSteps };

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
      const { search, reach, limited } = parsed.right;
      const limitByType = limitOf(options);
      const requested = requestedIncludes(declaredResults.includes, search, limitByType);
      if (E.isLeft(requested)) return requested;
      const conditions = await reach.authorized(mergeConditions(limited));
      const { count, cursor } = search.paging;
      if (cursor !== null) {
        const reachable = await findCursor(cursor, conditions, reach);
        if (E.isLeft(reachable)) return reachable;
      }
      const query = {
        type,
        conditions,
        count,
        withTotal: true,
        ...limits,
      };
      const found = await findInOrder(search)(query, pageOriginOf(search.paging));
      if (E.isLeft(found)) return found;
      const shown =
        show === undefined ? E.right(found.right.matches) : await show(found.right.matches, options);
      if (E.isLeft(shown)) return shown;
      const matches = shown.right;
      const included =
        requested.right.length === 0
          ? noneIncluded
          : await findIncluded(requested.right, {
              type,
              matches,
              limitOf: limitByType,
              openReferenced: hostReader(options),
            });
      if (E.isLeft(included)) return included;
      const named = search.conditions;
      reach.report(() =>
        returnedPage(type, { named, reached: conditions, matches, included: included.right }),
      );
      return E.right(
        renderSearchPage(
          { facts, search },
          { ...found.right, matches },
          { included: included.right, urls: options },
        ),
      );
    },

    all: async function* (parameters = {}, options = {}) {
      const parsed = parse(parameters, options, {});
      if (E.isLeft(parsed)) throw new ClinicalRecordsError(parsed.left);
      const { search, reach, limited } = parsed.right;
      const { cursor } = search.paging;
      const conditions = await reach.authorized(mergeConditions(limited));
      if (cursor !== null) await orThrow(findCursor(cursor, conditions, reach));
      const pages = walkPages(reportPages({ named: search.conditions, reached: conditions }, reach))(
        { type, conditions, ...limits },
        pageOriginOf(search.paging),
      );
      for await (const match of pages) yield textOf(type, match);
    },

    ...createHistoryReads({ zone, now }, { facts, versions }),
  };
};
