import {
  type SearchMatch,
  type SearchPage,
  type SearchQuery,
  type StoreError,
  takeMatches,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import type { IndexCheck } from '../index-version.ts';
import { postgresError } from '../postgres-errors.ts';
import type { QueryBuilder } from '../query-builder.ts';
import type { Reader } from '../reader.ts';
import type { Statement } from '../statement.ts';
import type { BroadSearches } from './broad-searches.ts';
import { createChartSearch, isChartSearch } from './chart-search.ts';
import { createListTerms } from './list-terms.ts';
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
  type FirstMatch,
  type SearchRow,
} from './search-statement.ts';

type SearchSettings = {
  readonly reader: Reader;
  /** Runs searches that may look at many records; null if the reader runs them, too. */
  readonly broadSearches: BroadSearches | null;
  /** Whether the table `counts` has what a search must see. */
  readonly hasCounts: boolean;
  readonly hasIndex: IndexCheck;
  readonly isPreparedShape: IsPreparedShape;
};

/** The statements for all searches of a shape. */
type Statements = {
  /** Finds the first page in most cases, and at little cost; null if there is no such statement. */
  readonly firstMatches: Statement<ResolvedQuery, FirstMatch> | null;
  readonly page: Statement<ResolvedQuery, SearchRow>;
};

const isWhole = (match: FirstMatch): match is SearchMatch => match.resource !== null;

/** The most shapes of which statements are kept. Beyond that, all are forgotten. */
const maxShapes = 1000;

export const createSearch = (
  builder: QueryBuilder,
  { reader, broadSearches, hasCounts, hasIndex, isPreparedShape }: SearchSettings,
): ((query: SearchQuery) => Promise<Either<StoreError, SearchPage>>) => {
  const known = new Map<string, Statements>();
  const statementsFor = (query: ResolvedQuery): Statements => {
    const shape = shapeOfQuery(query);
    // The plan of a broad search depends on its values, because some terms are frequent and others rare.
    const isPrepared = !isBroad(query) && isPreparedShape(shape);
    const key = `${isPrepared} ${shape}`;
    const statements = known.get(key);
    if (statements !== undefined) return statements;
    if (known.size >= maxShapes) known.clear();
    const created: Statements = {
      firstMatches:
        isNarrow(query) && isFirstPage(query)
          ? createFirstMatchesStatement(builder, query, { isPrepared })
          : null,
      page: createSearchStatement(builder, query, { hasCounts, isPrepared }),
    };
    known.set(key, created);
    return created;
  };

  const findMatches = async (
    chosen: Reader,
    query: ResolvedQuery,
  ): Promise<readonly SearchMatch[] | null> => {
    const { firstMatches } = statementsFor(query);
    if (firstMatches === null) return null;
    const matches = await chosen(firstMatches, query);
    return matches.every(isWhole) ? matches : null;
  };

  const searchChart = createChartSearch(builder, reader, (query) => findMatches(reader, query));

  const runOn = async (chosen: Reader, query: ResolvedQuery): Promise<SearchPage> => {
    const first = await (isChartSearch(query) ? searchChart(query) : findMatches(chosen, query));
    // Otherwise the page must be measured, or more matches follow that must be counted.
    if (first !== null && !(query.withTotal && first.length > query.count))
      return { ...takeMatches(first, query), total: query.withTotal ? first.length : null };
    const rows = await chosen(statementsFor(query).page, query);
    const matches = rows.flatMap((row) =>
      row.id === null ? [] : [{ id: row.id, version: row.version, at: row.at, resource: row.resource }],
    );
    return { ...takeMatches(matches, query), total: query.withTotal ? (rows[0]?.total ?? 0) : null };
  };

  const listTerms = createListTerms(builder);

  const runBroad = async (chosen: Reader, query: ResolvedQuery): Promise<SearchPage> =>
    runOn(chosen, await listTerms(chosen, query));

  return async (query) => {
    try {
      const { indexVersion } = query;
      if (indexVersion !== undefined && !(await hasIndex(indexVersion)))
        return left({ _tag: 'OutdatedIndex' });
      const resolved = resolveQuery(query);
      if (resolved === null) return right({ matches: [], hasMore: false, total: query.withTotal ? 0 : null });
      if (!isBroad(resolved)) return right(await runOn(reader, resolved));
      return broadSearches === null
        ? right(await runBroad(reader, resolved))
        : await broadSearches.run(() => runBroad(broadSearches.reader, resolved));
    } catch (cause) {
      return left(postgresError(cause));
    }
  };
};
