import * as E from 'fp-ts/lib/Either.js';
import {
  type ClinicalError,
  invalidRequest,
  type Outcome,
  storeFailure,
  toClinicalError,
  tooCostly,
} from '../errors.ts';
import type { TimeZone } from '../fhir/date-time.ts';
import { orThrow } from '../outcome.ts';
import { indexerOf, type StoredParameterTable } from '../search/index-entries.ts';
import { searchIssue } from '../search/issues.ts';
import { mergeConditions } from '../search/merge-conditions.ts';
import { maxCount, type PageEnd, type PageOrigin, unknownCursorIssue } from '../search/paging.ts';
import { compareEntries, compareValues, formatSort, type Sort, type SortedEntry } from '../search/sort.ts';
import { takeMatches } from '../store/matches.ts';
import type { ClinicalStore, SearchMatch, SearchPage } from '../store/port.ts';
import type { SearchQuery, TimeOrder } from '../store/query.ts';
import type { StoreError } from '../store/store-error.ts';
import { createLaterTurns, createTurns, isLarge, pause } from '../store/turns.ts';

/** A search without the place where the page begins. */
export type FindQuery = Omit<SearchQuery, 'start'>;

/** A match as it is shown. Of some types, it has no version. */
export type FoundMatch = SearchMatch | (Pick<SearchMatch, 'id' | 'resource'> & { readonly version: null });

/** A page, and where it ends; `end` is null if nothing follows. */
export type FoundPage<Match = SearchMatch> = Pick<SearchPage, 'total'> & {
  readonly matches: readonly Match[];
  readonly end: PageEnd | null;
};

/** Finds a page of the records that match. */
export type Find = (query: FindQuery, origin: PageOrigin) => Outcome<FoundPage>;

export const toSearchError = (error: StoreError): ClinicalError => {
  if (error._tag === 'TooCostly') return tooCostly(searchIssue('too-costly'));
  return error._tag === 'Busy' ? storeFailure('too-many-searches', null) : toClinicalError(error);
};

/** A page that a store returns, with the end that `endOf` makes of its last match. */
const toFoundPage = (
  page: E.Either<StoreError, SearchPage>,
  endOf: (last: SearchMatch) => PageEnd,
): E.Either<ClinicalError, FoundPage> => {
  if (E.isLeft(page)) return E.left(toSearchError(page.left));
  const { matches, hasMore, total } = page.right;
  const last = hasMore ? matches.at(-1) : undefined;
  return E.right({ matches, total, end: last === undefined ? null : endOf(last) });
};

/** Finds stored records. */
export const createFind =
  (store: ClinicalStore): Find =>
  async (query, origin) => {
    const start = 'after' in origin ? { after: origin.after } : origin;
    return toFoundPage(await store.search({ ...query, start }), ({ id }) => ({ after: id }));
  };

type Values = SortedEntry['values'];

/** The order of a search by one time, as a store knows it; null for another order. */
export const timeOrderOf = (sort: Sort, parameters: StoredParameterTable): TimeOrder | null => {
  const [key, ...others] = sort;
  if (key === undefined || others.length > 0) return null;
  const { name, isDescending } = key;
  if (name === '_lastUpdated') return { on: 'at', isDescending };
  return parameters[name]?.kind === 'date' ? { on: 'date', parameter: name, isDescending } : null;
};

/**
 * The values by which a match is sorted: its id, the time of its last version, or those of its index entries. A date counts from its
 * start, and in descending order from its end.
 */
export const sortValuesOf = (
  sort: Sort,
  { parameters, zone }: { readonly parameters: StoredParameterTable; readonly zone: TimeZone },
): ((match: SearchMatch) => Values) => {
  const isIndexed = sort.some(({ name }) => name !== '_lastUpdated' && name !== '_id');
  return (match) => {
    const entries = isIndexed ? indexerOf(parameters)(JSON.parse(match.resource), zone) : [];
    return sort.map(({ name, isDescending }) => {
      if (name === '_lastUpdated') return match.at;
      if (name === '_id') return match.id;
      const values = entries.flatMap((entry): readonly (number | string)[] => {
        if (entry.parameter !== name) return [];
        if (entry.kind === 'date') return [isDescending ? entry.until : entry.from];
        return entry.kind === 'token' ? [entry.code] : [];
      });
      return values.toSorted(compareValues).at(isDescending ? -1 : 0) ?? null;
    });
  };
};

/** The large pages of all walks take turns. */
const takeLaterTurn = createLaterTurns(createTurns());

/**
 * Yields the matches. A page is read when its first match is requested; a large one is read in a turn of its own, because what a
 * caller makes of it takes as long. Throws a `ClinicalRecordsError`.
 */
export const walkPages = (find: Find) =>
  async function* (
    query: Omit<FindQuery, 'count' | 'withTotal'>,
    start: PageOrigin,
  ): AsyncGenerator<SearchMatch, void> {
    let origin: PageOrigin | null = start;
    while (origin !== null) {
      const { matches, end }: FoundPage = await orThrow(
        find({ ...query, count: maxCount, withTotal: false }, origin),
      );
      const isPaced = isLarge(matches.map(({ resource }) => resource));
      if (isPaced) await takeLaterTurn();
      yield* matches;
      if (isPaced && end !== null) await takeLaterTurn();
      origin = end;
    }
  };

/** The most matches that one search sorts. */
const maxSorted = 10_000;

/** How often the matches are listed in all, if others keep changing those of the page. */
const maxSortAttempts = 20;

type IdEntry = SortedEntry & { readonly id: string };

type ListedEntries = { readonly entries: readonly IdEntry[]; readonly total: number | null };

const isSame = (a: Values, b: Values): boolean => a.every((value, index) => value === b[index]);

/** All matches, in the order of their creation, and their number. */
const listEntries = async (
  find: Find,
  query: FindQuery,
  valuesOf: (match: SearchMatch) => Values,
): Outcome<ListedEntries> => {
  const entries: IdEntry[] = [];
  let total: number | null = null;
  let next: PageOrigin | null = { offset: 0 };
  while (next !== null) {
    const pageQuery: FindQuery = { ...query, count: maxCount, withTotal: 'offset' in next };
    const page: E.Either<ClinicalError, FoundPage> = await find(pageQuery, next);
    if (E.isLeft(page)) return page;
    const { matches, end }: FoundPage = page.right;
    total ??= page.right.total;
    for (const match of matches)
      entries.push({ id: match.id, values: valuesOf(match), place: entries.length });
    if (Math.max(total ?? 0, entries.length) > maxSorted) return E.left(tooCostly(searchIssue('too-costly')));
    if (end !== null) await pause();
    next = end;
  }
  return E.right({ entries, total });
};

/** Where the last match of the page before is among the entries, even if it is not a match any more. */
const findEnd = async (
  find: Find,
  query: FindQuery,
  { end, entries }: { readonly end: PageEnd; readonly entries: readonly IdEntry[] },
): Promise<E.Either<ClinicalError, SortedEntry>> => {
  const { after, sorted: { values } = { values: [] } } = end;
  const placeOf = (id: string | undefined) => entries.find((entry) => entry.id === id)?.place;
  const place = placeOf(after);
  if (place !== undefined) return E.right({ values, place });
  const following = await find({ ...query, count: 1, withTotal: false }, end);
  if (E.isLeft(following)) return following;
  const nextPlace = placeOf(following.right.matches[0]?.id) ?? entries.length;
  return E.right({ values, place: nextPlace - 0.5 });
};

/** The newest states of some matches, by their ids. */
const readMatches = async (
  find: Find,
  { maxBytes, ...query }: FindQuery,
  anyOf: readonly string[],
): Promise<E.Either<ClinicalError, ReadonlyMap<string, SearchMatch>>> => {
  if (anyOf.length === 0) return E.right(new Map());
  const conditions = mergeConditions([...query.conditions, { on: 'id', anyOf }]);
  const page = await find({ ...query, conditions, count: anyOf.length, withTotal: false }, { offset: 0 });
  return E.isLeft(page) ? page : E.right(new Map(page.right.matches.map((match) => [match.id, match])));
};

/**
 * Sorts the matches of a search. It reads all of them, but keeps only their values, and then reads the matches of the page again. The
 * end of a page has the values of its last match, so that the next page begins after it, whatever was created since.
 */
export const createSortedFind = (find: Find, sort: Sort, valuesOf: (match: SearchMatch) => Values): Find => {
  const compare = compareEntries(sort);

  /** The sorted entries from the beginning of a page on. */
  const entriesFrom = async (
    query: FindQuery,
    origin: PageOrigin,
    entries: readonly IdEntry[],
  ): Outcome<readonly IdEntry[]> => {
    const sorted = entries.toSorted(compare);
    if ('offset' in origin) return E.right(sorted.slice(origin.offset));
    const end = await findEnd(find, query, { end: origin, entries });
    return E.isLeft(end) ? end : E.right(sorted.filter((entry) => compare(entry, end.right) > 0));
  };

  return async (query, origin) => {
    if (query.count === 0) return find(query, origin);
    let missing: ReadonlySet<string> = new Set();
    for (let attempt = 0; attempt < maxSortAttempts; attempt++) {
      const listed = await listEntries(find, query, valuesOf);
      if (E.isLeft(listed)) return listed;
      const following = await entriesFrom(query, origin, listed.right.entries);
      if (E.isLeft(following)) return following;
      const shown = following.right.slice(0, query.count);
      const ids = shown.map(({ id }) => id);
      const read = await readMatches(find, query, ids);
      if (E.isLeft(read)) return read;
      const missingNow = new Set(ids.filter((id) => !read.right.has(id)));
      // Others may have changed it once, but then it is not listed again.
      if (!missing.isDisjointFrom(missingNow)) return E.left(storeFailure('damaged-store', null));
      missing = missingNow;
      const unmoved = shown.flatMap(({ id, values }) => {
        const match = read.right.get(id);
        return match !== undefined && isSame(valuesOf(match), values) ? [match] : [];
      });
      // A match has moved since it was listed.
      if (unmoved.length < shown.length) continue;
      const { matches } = takeMatches(unmoved, query);
      const last = matches.length < following.right.length ? matches.at(-1) : undefined;
      return E.right({
        matches,
        total: query.withTotal ? listed.right.total : null,
        end:
          last === undefined
            ? null
            : { after: last.id, sorted: { by: formatSort(sort), values: valuesOf(last) } },
      });
    }
    return E.left(storeFailure('too-contended', null));
  };
};

/**
 * Finds matches by the order of a time. Within charts, the store orders them. For another search, or on a store that cannot, it is
 * `findSorted` that finds them.
 */
export const createOrderedFind =
  (
    store: ClinicalStore,
    findSorted: Find,
    {
      sort,
      order,
      valuesOf,
    }: {
      readonly sort: Sort;
      readonly order: TimeOrder;
      readonly valuesOf: (match: SearchMatch) => Values;
    },
  ): Find =>
  async (query, origin) => {
    const isInCharts = query.conditions.some(({ on }) => on === 'patient');
    if (store.searchInOrder === undefined || !isInCharts || query.count === 0)
      return findSorted(query, origin);
    const [time = null] = 'after' in origin ? (origin.sorted?.values ?? []) : [];
    if (typeof time === 'string') return E.left(invalidRequest(unknownCursorIssue));
    const start = 'after' in origin ? { after: origin.after, time } : origin;
    return toFoundPage(await store.searchInOrder({ ...query, order, start }), (last) => ({
      after: last.id,
      sorted: { by: formatSort(sort), values: valuesOf(last) },
    }));
  };
