import {
  createBroadSearchQueue,
  createSlots,
  maxBroadSearches,
  type SearchMatch,
  type SearchPage,
  type SearchQuery,
  type StoreError,
  takeMatches,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { isCanceled, postgresError } from '../postgres-errors.ts';
import type { PostgresPool } from '../postgres-pool.ts';
import type { Reader } from '../readers.ts';
import type { QueryBuilder, Statement } from '../statement.ts';
import { createPerPool } from '../use-client.ts';
import { createChartSearch, type FirstMatches, isChartSearch } from './chart-search.ts';
import { createFindShortList } from './lists.ts';
import type { IsPreparedShape } from './prepared-shapes.ts';
import {
  isBroad,
  isFirstPage,
  isNarrow,
  type ResolvedQuery,
  resolveQuery,
  shapeOfQuery,
} from './resolve-query.ts';
import {
  createFirstMatchesStatement,
  createSearchStatement,
  createStatementCache,
  emptyPage,
  type FirstMatch,
  type SearchRow,
  toSearchPage,
} from './search-statement.ts';

/** Runs searches that may look at many records, a few at a time, and none for long. */
type BroadSearches = {
  readonly reader: Reader;
  /** Runs a search that uses the reader, or fails if too many wait. */
  readonly run: <A>(search: () => Promise<A>) => Promise<Either<StoreError, A>>;
};

/** How many run at a time on a pool, so that a client is left for other work. A pool of one has none to leave. */
const runningOn = ({ options }: PostgresPool): number =>
  Math.max(1, Math.min(maxBroadSearches, (options?.max ?? Infinity) - 1));

const slotsOf = createPerPool((pool) => createSlots(runningOn(pool)));

/** Creates the runner of the broad searches of a store, with the reader of its pools. Each store has a queue of its own. */
export const createBroadSearches = (
  reader: Reader,
  primary: PostgresPool,
  replicas: readonly PostgresPool[],
): BroadSearches => {
  const inQueue = createBroadSearchQueue(Math.min(...[primary, ...replicas].map(runningOn)));
  const inSlot = slotsOf(primary);
  return {
    reader,
    run: (search) =>
      inQueue(async () => {
        try {
          return right(await inSlot(search));
        } catch (cause) {
          return left(isCanceled(cause) ? { _tag: 'TooCostly' } : postgresError(cause));
        }
      }),
  };
};

type SearchSettings = {
  readonly reader: Reader;
  /** Runs searches that may look at many records; null if the reader runs them, too. */
  readonly broadSearches: BroadSearches | null;
  /** Whether the table `counts` has what a search must see. */
  readonly hasCounts: boolean;
  readonly isPreparedShape: IsPreparedShape;
};

type SearchStatements = {
  /** Finds the first page in most cases, and at little cost; null if there is no such statement. */
  readonly firstMatches: Statement<ResolvedQuery, FirstMatch> | null;
  readonly page: Statement<ResolvedQuery, SearchRow>;
};

const isWhole = (match: FirstMatch): match is SearchMatch => match.id !== null && match.resource !== null;

/** Returns the statements of a search, which are kept by the shape of the search. */
type StatementsFor = (query: ResolvedQuery, shortList?: number | null) => SearchStatements;

const createStatementsFor = (
  builder: QueryBuilder,
  { hasCounts, isPreparedShape }: Pick<SearchSettings, 'hasCounts' | 'isPreparedShape'>,
): StatementsFor => {
  const statements = createStatementCache<SearchStatements>();
  return (query, shortList = null) => {
    const shape = shapeOfQuery(query);
    // The plan of a broad search depends on its values, because some terms are frequent and others rare.
    const isPrepared = !isBroad(query) && isPreparedShape(shape);
    return statements(`${isPrepared} ${shortList} ${shape}`, () => ({
      firstMatches:
        isNarrow(query) && isFirstPage(query)
          ? createFirstMatchesStatement(builder, query, { isPrepared })
          : null,
      page: createSearchStatement(builder, query, { hasCounts, isPrepared, shortList }),
    }));
  };
};

export const createSearch = (
  builder: QueryBuilder,
  { reader, broadSearches, hasCounts, isPreparedShape }: SearchSettings,
): ((query: SearchQuery) => Promise<Either<StoreError, SearchPage>>) => {
  const statementsFor = createStatementsFor(builder, { hasCounts, isPreparedShape });

  const findFirst = async (query: ResolvedQuery): Promise<FirstMatches | null> => {
    const { firstMatches } = statementsFor(query);
    if (firstMatches === null) return null;
    const matches = await reader(firstMatches, query);
    // If more matches follow, they must be counted.
    const isComplete = !query.withTotal || matches.length <= query.count;
    return isComplete && matches.every(isWhole) ? { matches, total: matches.length } : null;
  };

  const searchChart = createChartSearch(builder, reader, findFirst);

  const readPage = async (
    chosen: Reader,
    query: ResolvedQuery,
    shortList: number | null = null,
  ): Promise<SearchPage> => {
    return toSearchPage(await chosen(statementsFor(query, shortList).page, query), query);
  };

  const runNarrow = async (query: ResolvedQuery): Promise<SearchPage> => {
    const first = await (isChartSearch(query) ? searchChart(query) : findFirst(query));
    // Otherwise the page must be measured, or its matches counted.
    return first === null
      ? readPage(reader, query)
      : { ...takeMatches(first.matches, query), total: query.withTotal ? first.total : null };
  };

  const findShortList = createFindShortList(builder);

  const runBroad = async (chosen: Reader, query: ResolvedQuery): Promise<SearchPage> =>
    readPage(chosen, query, await findShortList(chosen, query));

  return async (query) => {
    try {
      const resolved = resolveQuery(query);
      if (resolved === null) return right(emptyPage(query));
      if (!isBroad(resolved)) return right(await runNarrow(resolved));
      return broadSearches === null
        ? right(await runBroad(reader, resolved))
        : await broadSearches.run(() => runBroad(broadSearches.reader, resolved));
    } catch (cause) {
      return left(postgresError(cause));
    }
  };
};
