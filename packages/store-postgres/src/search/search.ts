import {
  type SearchPage,
  type SearchQuery,
  type StoreError,
  takeMatches,
} from '@clinical-records/core/store';
import { type Either, right } from 'fp-ts/lib/Either.js';
import { attempt } from '../postgres-errors.ts';
import type { QueryBuilder } from '../query-builder.ts';
import type { Reader } from '../reader.ts';
import type { Statement } from '../statement.ts';
import type { BroadSearches } from './broad-searches.ts';
import { isNarrow, type ResolvedQuery, resolveQuery, shapeOfQuery } from './resolve-query.ts';
import { createSearchStatement, type SearchRow } from './search-statement.ts';

type SearchSettings = {
  readonly reader: Reader;
  /** Runs searches that may look at many records; null if the reader runs them, too. */
  readonly broadSearches: BroadSearches | null;
  /** Whether the table `counts` has what a search must see. */
  readonly hasCounts: boolean;
};

/** The most shapes of searches that are kept. Beyond that, all are forgotten. */
const maxShapes = 1000;

export const createSearch = (
  builder: QueryBuilder,
  { reader, broadSearches, hasCounts }: SearchSettings,
): ((query: SearchQuery) => Promise<Either<StoreError, SearchPage>>) => {
  const statements = new Map<string, Statement<ResolvedQuery, SearchRow>>();
  const statementFor = (query: ResolvedQuery) => {
    const shape = shapeOfQuery(query);
    const known = statements.get(shape);
    if (known !== undefined) return known;
    if (statements.size >= maxShapes) statements.clear();
    const statement = createSearchStatement(builder, query, { hasCounts });
    statements.set(shape, statement);
    return statement;
  };

  const runOn = async (chosen: Reader, query: ResolvedQuery): Promise<SearchPage> => {
    const rows = await chosen(statementFor(query), query);
    const matches = rows.flatMap((row) => (row.id === null ? [] : [{ id: row.id, resource: row.resource }]));
    return { ...takeMatches(matches, query), total: query.withTotal ? (rows[0]?.total ?? 0) : null };
  };

  return async (query) => {
    const resolved = resolveQuery(query);
    if (resolved === null) return right({ matches: [], hasMore: false, total: query.withTotal ? 0 : null });
    return broadSearches === null || isNarrow(resolved)
      ? attempt(() => runOn(reader, resolved))
      : broadSearches.run(() => runOn(broadSearches.reader, resolved));
  };
};
