import {
  type OrderedQuery,
  orderMatches,
  type SearchMatch,
  type SearchPage,
  type SearchQuery,
  type StoreError,
  type TimedMatch,
  takeMatches,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../schema.ts';
import type { TermDictionary } from '../statement.ts';
import {
  chooseSource,
  type ResolvedQuery,
  resolveOrder,
  resolveQuery,
  stepsPerCandidate,
} from './plan-search.ts';
import {
  createSearchStatements,
  maxRecordsPerRead,
  type ResolvedOrder,
  type SearchStatements,
} from './search-statements.ts';
import type { CandidateSource } from './select-candidates.ts';

/**
 * A search that gives way after each piece of its work. All of it must run in one transaction. It yields 'long' if it
 * knows that much work remains.
 */
export type SearchRun = Generator<undefined | 'long', Either<StoreError, SearchPage>>;

/** A search, in the order of creation or of a time. */
export type AnyQuery = SearchQuery | OrderedQuery;

/** From this number of steps, a search is known to be long. */
const longSearchSteps = 5000;

const tooCostlyError = left<StoreError>({ _tag: 'TooCostly' });

/** The intended duration of a piece in milliseconds. The size of the next piece is adjusted to it. */
const targetSliceTime = 2;
const firstWidth = 256;
const maxWidth = 16_384;

/**
 * A piece has at most this many times as many candidates as the one before, because the next ones may cost more to
 * compare.
 */
const mostGrowth = 2;

/** The width of the piece after one that took some milliseconds. */
const nextWidth = (width: number, took: number): number =>
  Math.max(16, Math.min(maxWidth, Math.round(width * Math.min(mostGrowth, targetSliceTime / took))));

/** The matches that a page needs: those after a position, and one more, which shows whether the page is the last. */
type PageRange = { readonly behind: number; readonly skip: number; readonly count: number };

const beyondLastPosition = Number.MAX_SAFE_INTEGER;

/** The first records, and those at some positions. */
function* readMatches(
  statements: SearchStatements,
  first: readonly SearchMatch[],
  positions: readonly number[],
): Generator<SearchMatch, void> {
  yield* first;
  for (let from = 0; from < positions.length; from += maxRecordsPerRead) {
    yield* statements.readMatches(positions.slice(from, from + maxRecordsPerRead));
  }
}

/** The positions of a page, and the total if it is asked for; null if it needs too many steps. */
function* collectPage(
  statements: SearchStatements,
  search: ResolvedQuery,
  source: CandidateSource,
  {
    range,
    isBackwards,
    withTotal,
  }: { readonly range: PageRange; readonly isBackwards: boolean; readonly withTotal: boolean },
): Generator<undefined, { readonly positions: readonly number[]; readonly total: number } | null> {
  const candidateSteps = stepsPerCandidate(search, source);
  let stepsLeft = search.maxSteps ?? Number.POSITIVE_INFINITY;
  let { skip } = range;
  let behind = withTotal ? 0 : range.behind;
  if (isBackwards) behind = beyondLastPosition;
  let total = 0;
  let width = withTotal ? firstWidth : Math.min(maxWidth, Math.max(skip, range.count));
  const positions: number[] = [];
  const readSlice = statements.slicer(search, source, isBackwards);
  while (withTotal || positions.length < range.count) {
    if (stepsLeft < 0) return null;
    // The candidates are at most as many as the steps that are left, and one more, which shows whether there are
    // more.
    width = Math.min(width, Math.floor(stepsLeft / candidateSteps) + 1);
    const isListed = positions.length < range.count && skip < width;
    const began = performance.now();
    const slice = readSlice({ behind, width, isListed });
    const took = performance.now() - began;
    total += slice.matched;
    stepsLeft -= slice.passed * candidateSteps;
    if (isListed) {
      const reached = withTotal
        ? slice.positions.filter((position) => position > range.behind)
        : slice.positions;
      positions.push(...reached.slice(skip, skip + range.count - positions.length));
      skip = Math.max(0, skip - reached.length);
    } else if (positions.length < range.count) skip -= slice.matched;
    if (slice.passed < width) return { positions, total };
    behind = slice.last;
    width = nextWidth(width, took);
    yield;
  }
  return { positions, total };
}

/** The most matches that are ordered. They are sorted in one go. */
const maxOrdered = 50_000;

/** The page of matches that are ordered by a time. All of them are found first. */
function* runOrdered(
  statements: SearchStatements,
  query: OrderedQuery,
  { search, order }: { readonly search: ResolvedQuery; readonly order: ResolvedOrder },
): SearchRun {
  const source = yield* chooseSource(search, statements);
  const found = yield* collectPage(statements, search, source, {
    range: { behind: 0, skip: 0, count: maxOrdered + 1 },
    isBackwards: false,
    withTotal: true,
  });
  if (found === null || found.total > maxOrdered) return tooCostlyError;
  const matches: TimedMatch[] = [];
  for (let width = firstWidth; matches.length < found.total; yield) {
    const began = performance.now();
    const piece = found.positions.slice(matches.length, matches.length + width);
    matches.push(...statements.readTimes(piece, order));
    width = nextWidth(width, performance.now() - began);
  }
  const page = orderMatches(matches, query, (id) => statements.findPosition(query.type, id));
  return right({
    // One by one, because records that are read together come in the order of their creation.
    ...takeMatches(
      page.values().flatMap(({ place }) => statements.readMatches([place])),
      query,
    ),
    total: query.withTotal ? found.total : null,
  });
}

export const createSearchRunner = (
  database: SqliteDatabase,
  db: QueryBuilder,
  terms: TermDictionary,
): ((query: AnyQuery) => SearchRun) => {
  const statements = createSearchStatements(database, db);

  return function* run(query: AnyQuery): SearchRun {
    const { type, start, withTotal, maxSteps = Number.POSITIVE_INFINITY } = query;
    const search = yield* resolveQuery(terms, query);
    if ('order' in query && search !== null) {
      const order = resolveOrder(terms, query);
      return yield* runOrdered(statements, query, { search, order });
    }
    const after = 'after' in start ? statements.findPosition(type, start.after) : 0;
    if (search === null) return right({ matches: [], hasMore: false, total: withTotal ? 0 : null });

    const ofType = search.conditions.length === 0 ? statements.countRecords(type) : null;
    const source = yield* chooseSource(search, statements);
    // Checks whether there is a result at all. A page without a total may be full long before.
    if (withTotal && ofType === null && source.from !== 'index') {
      const candidates = source.from === 'list' ? source.records.length : statements.countRecords(type);
      const steps = candidates * stepsPerCandidate(search, source);
      if (steps > maxSteps) return tooCostlyError;
      if (steps > longSearchSteps) yield 'long';
    }

    const count = query.count + 1;
    const skip = 'offset' in start ? start.offset : 0;
    // A page in the second half of all records of a type is reached sooner from their end.
    const isBackwards = ofType !== null && skip * 2 > ofType;
    const rest = isBackwards ? Math.max(0, ofType - skip) : count;
    const range = {
      behind: after ?? beyondLastPosition,
      skip: isBackwards ? Math.max(0, rest - count) : skip,
      count: Math.min(rest, count),
    };
    // The beginning of an index is read without listing its positions, if there is no other condition to check.
    const width = Math.min(count, maxRecordsPerRead);
    const isDirect =
      source.from === 'index' &&
      search.conditions.length === 1 &&
      after === 0 &&
      skip === 0 &&
      width <= maxSteps;
    const first = isDirect ? statements.readFirst(search, width) : [];
    if (isDirect && first.length < width)
      return right({ ...takeMatches(first, query), total: withTotal ? first.length : null });
    const page = yield* collectPage(statements, search, source, {
      range: first.length === count ? { ...range, count: 0 } : range,
      isBackwards,
      withTotal: withTotal && ofType === null,
    });
    if (page === null) return tooCostlyError;
    const positions = isBackwards ? page.positions.toReversed() : page.positions;
    return right({
      ...takeMatches(readMatches(statements, first, positions.slice(first.length)), query),
      total: withTotal ? (ofType ?? page.total) : null,
    });
  };
};
