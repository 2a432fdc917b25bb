import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Environment } from '../environment.ts';
import {
  asFailure,
  type ClinicalError,
  invalidRequest,
  notFound,
  otherChart,
  type Result,
  storeFailure,
  tooCostly,
} from '../errors.ts';
import { bundleJson } from '../fhir/bundle.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { searchFault } from '../search/faults.ts';
import { linksOf } from '../search/links.ts';
import { mergeConditions } from '../search/merge-conditions.ts';
import { pageBytes, startOf } from '../search/paging.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import { parseSearch, type Search, type SearchParameters, unknownCursor } from '../search/search.ts';
import type { ClinicalStore, Page, RecordRef, StoredRecord, StoreError } from '../store/port.ts';
import type { Query, SearchCondition } from '../store/query.ts';
import { type Access, chartWithin, isLimited, type ReadOptions, reachOf } from './access.ts';
import { historyEntry, type ResourceHistoryEntry } from './history-entry.ts';
import { type ResourceVersion, resourceVersion } from './resource-version.ts';

/** Reads of one type of resource that hand on the JSON text that is stored, without looking into it. */
export type JsonReads = {
  /** A resource as JSON text, with its version. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly read: (id: string, access?: Access) => Result<ResourceVersion>;
  /** A `Bundle` as JSON text. Errors: `InvalidRequest`, `Forbidden`, `TooCostly`, `StoreFailure`. */
  readonly search: (parameters: SearchParameters, options?: ReadOptions) => Result<string>;
  /**
   * Every version, newest first; versions without a resource are those at which there was nothing to be read.
   * Errors: `NotFound`, `Forbidden`, `StoreFailure`.
   */
  readonly history: (id: string, access?: Access) => Result<readonly ResourceHistoryEntry<string>[]>;
};

/**
 * The conditions of a search, narrowed to the chart to which its caller is limited. To ask for another chart is refused; so
 * is a `within` that is no id, for the empty bundle that it would find says that a chart is empty.
 */
const narrowed = (
  conditions: readonly SearchCondition[],
  access: Access,
): E.Either<ClinicalError, readonly SearchCondition[]> => {
  if (!isLimited(access)) return E.right(conditions);
  const chart = chartWithin(access);
  if (chart === null) return E.left(otherChart);
  const asksElsewhere = conditions.some(
    (condition) => condition.on === 'patient' && condition.anyOf.some((patientId) => patientId !== chart),
  );
  return asksElsewhere ? E.left(otherChart) : E.right([...conditions, { on: 'patient', anyOf: [chart] }]);
};

/** Whether a record can be a match: its id and its patient never change. */
const canMatch = (conditions: readonly SearchCondition[], { id, patientId }: StoredRecord): boolean =>
  conditions.every((condition) => {
    if (condition.on === 'id') return condition.anyOf.includes(id);
    return condition.on !== 'patient' || (patientId !== null && condition.anyOf.includes(patientId));
  });

const bundleOf = (path: string, search: Search, { matches, hasMore, total: found }: Page): string => {
  const total = found ?? search.paging.cursor?.total ?? 0;
  const last = hasMore ? matches.at(-1) : undefined;
  const next = last === undefined ? null : { after: last.id, total };
  return bundleJson(
    { total, link: linksOf(path, search, { total, shown: matches.length, next }) },
    matches.map(({ resource }) => resource),
  );
};

const searchFailure = (error: StoreError): ClinicalError => {
  if (error._tag === 'TooCostly') return tooCostly(searchFault('too-costly'));
  return error._tag === 'Busy' ? storeFailure('too-many-searches', null) : asFailure(error);
};

/** What the reads of one type are made from. */
export type ReadDefinition = {
  readonly type: ResourceType;
  readonly parameters: SearchParameterTable;
  /** Finds what there is, where that is more than what is stored. */
  readonly find?: (query: Query) => Result<Page>;
  /** Whether a search may find a record of an id that is not stored yet. */
  readonly mayComeToBe?: (conditions: readonly SearchCondition[], id: string) => boolean;
};

/** Finds what is stored. */
export const findIn =
  (store: ClinicalStore) =>
  (query: Query): Result<Page> =>
  async () =>
    E.mapLeft(searchFailure)(await store.search(query)());

export const createJsonReads = (
  { store, zone, now, searchSteps }: Environment,
  { type, parameters: declared, find = findIn(store), mayComeToBe = () => false }: ReadDefinition,
): JsonReads => {
  /** Refuses a cursor whose record is not within reach of the search: whether it is in another chart or nowhere makes no difference. */
  const findCursor = async (
    ref: RecordRef,
    conditions: readonly SearchCondition[],
  ): Promise<E.Either<ClinicalError, void>> => {
    const found = await store.read(ref)();
    if (E.isLeft(found)) return E.left(asFailure(found.left));
    const record = found.right;
    const isWithinReach = record === null ? mayComeToBe(conditions, ref.id) : canMatch(conditions, record);
    return isWithinReach ? E.right(undefined) : E.left(invalidRequest(unknownCursor));
  };

  return {
    // Reads and searches are written plainly: each step of a TaskEither costs two promises, and readers wait for them.
    read: (id, access = {}) => {
      const reach = reachOf(access);
      if (E.isLeft(reach)) return TE.left(reach.left);
      const reaches = reach.right;
      return async () => {
        const found = await store.readResource({ type, id })();
        if (E.isLeft(found)) return E.left(asFailure(found.left));
        const stored = found.right;
        return stored === null || !reaches(stored.patientId)
          ? E.left(notFound(type, id))
          : E.right(resourceVersion(id, stored));
      };
    },

    search: (parameters, options = {}) => {
      const { handling = 'strict', base = '' } = options;
      const parsed = parseSearch(parameters, { declared, handling, time: { zone, now: now() } });
      if (E.isLeft(parsed)) return TE.left(parsed.left);
      const search = parsed.right;
      const asked = narrowed(search.conditions, options);
      if (E.isLeft(asked)) return TE.left(asked.left);
      return async () => {
        const conditions = mergeConditions(asked.right);
        const { count, cursor } = search.paging;
        if (cursor !== null) {
          const known = await findCursor({ type, id: cursor.after }, conditions);
          if (E.isLeft(known)) return known;
        }
        const page = await find({
          type,
          conditions,
          start: startOf(search.paging),
          count,
          withTotal: cursor === null,
          maxBytes: pageBytes,
          maxSteps: searchSteps,
        })();
        return E.map((found: Page) => bundleOf(`${base}${type}`, search, found))(page);
      };
    },

    history: (id, access = {}) => {
      const reach = reachOf(access);
      if (E.isLeft(reach)) return TE.left(reach.left);
      const reaches = reach.right;
      return pipe(
        store.history({ type, id }),
        TE.mapLeft(asFailure),
        TE.flatMapEither((versions) => {
          const [newest] = versions;
          return newest === undefined || !reaches(newest.patientId)
            ? E.left(notFound(type, id))
            : E.right(versions);
        }),
        TE.map((versions) => versions.map(historyEntry)),
      );
    },
  };
};
