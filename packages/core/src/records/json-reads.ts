import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Environment } from '../environment.ts';
import { asFailure, type ClinicalError, notFound, otherChart, type Result } from '../errors.ts';
import { bundleJson } from '../fhir/bundle.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { linksOf } from '../search/links.ts';
import { startOf } from '../search/paging.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import { parseSearch, type Search, type SearchParameters } from '../search/search.ts';
import type { ClinicalStore, Page } from '../store/port.ts';
import type { Query, SearchCondition } from '../store/query.ts';
import { type Access, chartWithin, isLimited, type ReadOptions, reachOf } from './access.ts';
import { historyEntry, type ResourceHistoryEntry } from './history-entry.ts';
import { type ResourceVersion, resourceVersion } from './resource-version.ts';

/** Reads of one type of resource that hand on the JSON text that is stored, without looking into it. */
export type JsonReads = {
  /** A resource as JSON text, with its version. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly read: (id: string, access?: Access) => Result<ResourceVersion>;
  /** A `Bundle` as JSON text. Errors: `InvalidRequest`, `Forbidden`, `StoreFailure`. */
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

/** One record more than the page shows is asked for: so it is seen whether another page follows. */
const withOneMore = (count: number) => (count === 0 ? 0 : count + 1);

const bundleOf = (path: string, search: Search, { matches, total }: Page): string => {
  const shown = matches.slice(0, search.paging.count);
  const lastPosition = matches.length > shown.length ? (shown.at(-1)?.position ?? null) : null;
  return bundleJson(
    { total, link: linksOf(path, search, { total, lastPosition }) },
    shown.map(({ resource }) => resource),
  );
};

/** What the reads of one type are made from. */
export type ReadDefinition = {
  readonly type: ResourceType;
  readonly parameters: SearchParameterTable;
  /** Finds what there is, where that is more than what is stored. */
  readonly find?: (query: Query) => Result<Page>;
};

/** Finds what is stored. */
export const findIn =
  (store: ClinicalStore) =>
  (query: Query): Result<Page> =>
  async () =>
    E.mapLeft(asFailure)(await store.search(query)());

export const createJsonReads = (
  { store, zone, now }: Environment,
  { type, parameters: declared, find = findIn(store) }: ReadDefinition,
): JsonReads => ({
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
    const conditions = narrowed(search.conditions, options);
    if (E.isLeft(conditions)) return TE.left(conditions.left);
    return async () => {
      const start = startOf(search.paging);
      const count = withOneMore(search.paging.count);
      const page = await find({ type, conditions: conditions.right, start, count })();
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
});
