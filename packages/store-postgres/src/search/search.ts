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
  type FirstMatch,
  type SearchRow,
} from './search-statement.ts';

/** The most shapes of which statements are prepared. Each connection of PostgreSQL keeps them until it ends. */
const maxPrepared = 128;

/** The longest shape of which statements are prepared. Longer shapes seldom repeat, and their plans are large. */
const longestShape = 128;

/** The most shapes that are counted. Beyond that, counting begins again. */
const maxCounted = 1000;

/** Whether the statements for all searches of a shape are prepared. */
export type IsPreparedShape = (shape: string) => boolean;

/** How often a shape must be asked for before it is prepared. */
const neededUses = (prepared: number): number => Math.floor(2 ** (prepared / 8));

/**
 * Chooses the shapes that are often asked for, unless they are long. The more are prepared, the more often a further one must
 * be asked for: once, then 256 times after 64, and 32,768 times after 120. So odd shapes at the start keep no others out.
 */
export const createPreparedShapes = (): IsPreparedShape => {
  const prepared = new Set<string>();
  const uses = new Map<string, number>();
  return (shape) => {
    if (prepared.has(shape)) return true;
    if (prepared.size >= maxPrepared || shape.length > longestShape) return false;
    const count = (uses.get(shape) ?? 0) + 1;
    if (uses.size >= maxCounted) uses.clear();
    uses.set(shape, count);
    if (count < neededUses(prepared.size)) return false;
    prepared.add(shape);
    return true;
  };
};

/** The shapes that are prepared on the connections of a pool. */
export const preparedShapesOf = createPerPool(createPreparedShapes);

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

const isWhole = (match: FirstMatch): match is SearchMatch => match.resource !== null;

/** The most shapes of which statements are kept. Beyond that, all are forgotten. */
const maxShapes = 1000;

/** Returns the statements of a search, which are kept by the shape of the search. */
type StatementsFor = (query: ResolvedQuery, shortList?: number | null) => SearchStatements;

const createStatementCache = (
  builder: QueryBuilder,
  { hasCounts, isPreparedShape }: Pick<SearchSettings, 'hasCounts' | 'isPreparedShape'>,
): StatementsFor => {
  const statementsByKey = new Map<string, SearchStatements>();
  return (query, shortList = null) => {
    const shape = shapeOfQuery(query);
    // The plan of a broad search depends on its values, because some terms are frequent and others rare.
    const isPrepared = !isBroad(query) && isPreparedShape(shape);
    const key = `${isPrepared} ${shortList} ${shape}`;
    const statements = statementsByKey.get(key);
    if (statements !== undefined) return statements;
    if (statementsByKey.size >= maxShapes) statementsByKey.clear();
    const created: SearchStatements = {
      firstMatches:
        isNarrow(query) && isFirstPage(query)
          ? createFirstMatchesStatement(builder, query, { isPrepared })
          : null,
      page: createSearchStatement(builder, query, { hasCounts, isPrepared, shortList }),
    };
    statementsByKey.set(key, created);
    return created;
  };
};

export const createSearch = (
  builder: QueryBuilder,
  { reader, broadSearches, hasCounts, isPreparedShape }: SearchSettings,
): ((query: SearchQuery) => Promise<Either<StoreError, SearchPage>>) => {
  const statementsFor = createStatementCache(builder, { hasCounts, isPreparedShape });

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
    const rows = await chosen(statementsFor(query, shortList).page, query);
    const matches = rows.flatMap((row) =>
      row.id === null ? [] : [{ id: row.id, version: row.version, at: row.at, resource: row.resource }],
    );
    return { ...takeMatches(matches, query), total: query.withTotal ? (rows[0]?.total ?? 0) : null };
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
      if (resolved === null) return right({ matches: [], hasMore: false, total: query.withTotal ? 0 : null });
      if (!isBroad(resolved)) return right(await runNarrow(resolved));
      return broadSearches === null
        ? right(await runBroad(reader, resolved))
        : await broadSearches.run(() => runBroad(broadSearches.reader, resolved));
    } catch (cause) {
      return left(postgresError(cause));
    }
  };
};
