import { type Match, type Page, pageOf, type Query, type StoreError } from '@clinical-records/core';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import type { Terms } from '../terms.ts';
import type { Source } from './candidates.ts';
import { type Search, searchFor } from './search.ts';
import { readTogether, searchStatements } from './search-statements.ts';
import { sourceFor, stepsEach } from './source.ts';

/**
 * A search that gives way after each piece of its work. All of it has to run in one transaction. It yields 'long' where it knows
 * that much is to come.
 */
export type SearchRun = Generator<undefined | 'long', Either<StoreError, Page>>;

/** From how many steps on a search is known to be long. */
const manySteps = 5000;

const tooCostly = left<StoreError>({ _tag: 'TooCostly' });

/** How long a piece should take, in milliseconds; the next is made larger or smaller by that. */
const pieceTime = 3;
const firstWidth = 256;
const largestWidth = 16_384;

/** What a page needs of the records that match: those from a place on, and one more, which shows that the page is not the last. */
type Wanted = { readonly behind: number; readonly skip: number; readonly count: number };

const nowhere = Number.MAX_SAFE_INTEGER;

export const searchRunner = (
  database: SqliteDatabase,
  db: QueryBuilder,
  terms: Terms,
): ((query: Query) => SearchRun) => {
  const statements = searchStatements(database, db);

  const matchesAt = function* (positions: readonly number[]): Generator<Match, void> {
    for (let from = 0; from < positions.length; from += readTogether) {
      yield* statements.matchesAt(positions.slice(from, from + readTogether));
    }
  };

  /** The positions of a page, and how many match in all if that is asked for; null beyond the most steps. */
  function* walk(
    search: Search,
    source: Source,
    {
      wanted,
      isBackwards,
      withTotal,
    }: { readonly wanted: Wanted; readonly isBackwards: boolean; readonly withTotal: boolean },
  ): Generator<undefined, { readonly positions: readonly number[]; readonly total: number } | null> {
    const each = stepsEach(search, source);
    let stepsLeft = search.maxSteps ?? Number.POSITIVE_INFINITY;
    let { skip } = wanted;
    let behind = withTotal ? 0 : wanted.behind;
    if (isBackwards) behind = nowhere;
    let total = 0;
    let width = withTotal ? firstWidth : Math.min(largestWidth, Math.max(skip, wanted.count));
    const positions: number[] = [];
    while (withTotal || positions.length < wanted.count) {
      const isListed = positions.length < wanted.count && skip < width;
      const began = performance.now();
      const slice = statements.slice(search, source, { behind, width, isBackwards, isListed });
      const took = performance.now() - began;
      total += slice.matched;
      stepsLeft -= slice.passed * each;
      if (isListed) {
        const reached = withTotal ? slice.positions.filter((one) => one > wanted.behind) : slice.positions;
        positions.push(...reached.slice(skip, skip + wanted.count - positions.length));
        skip = Math.max(0, skip - reached.length);
      } else if (positions.length < wanted.count) skip -= slice.matched;
      if (slice.passed < width) return { positions, total };
      if (stepsLeft < 0) return null;
      behind = slice.last;
      width = Math.max(16, Math.min(largestWidth, Math.round(width * Math.min(4, pieceTime / took))));
      yield;
    }
    return { positions, total };
  }

  return function* run(query: Query): SearchRun {
    const { type, start, withTotal, maxSteps = Number.POSITIVE_INFINITY } = query;
    const search = searchFor(terms, query);
    const after = 'after' in start ? statements.positionOf(type, start.after) : 0;
    if (search === null) return right({ matches: [], hasMore: false, total: withTotal ? 0 : null });

    const ofType = search.conditions.length === 0 ? statements.countOfType(type) : null;
    const source = yield* sourceFor(search, statements);
    // Whether it can be answered at all: a page that needs no total may be full long before.
    if (withTotal && ofType === null && source.from !== 'index') {
      const candidates = source.from === 'list' ? source.records.length : statements.countOfType(type);
      const steps = candidates * stepsEach(search, source);
      if (steps > maxSteps) return tooCostly;
      if (steps > manySteps) yield 'long';
    }

    const count = query.count + 1;
    const skip = 'offset' in start ? start.offset : 0;
    // A page far into all records of a type is reached sooner from their end.
    const isBackwards = ofType !== null && skip * 2 > ofType;
    const rest = isBackwards ? Math.max(0, ofType - skip) : count;
    const wanted = {
      behind: after ?? nowhere,
      skip: isBackwards ? Math.max(0, rest - count) : skip,
      count: Math.min(rest, count),
    };
    const found = yield* walk(search, source, {
      wanted,
      isBackwards,
      withTotal: withTotal && ofType === null,
    });
    if (found === null) return tooCostly;
    const positions = isBackwards ? found.positions.toReversed() : found.positions;
    return right({
      ...pageOf(matchesAt(positions), query),
      total: withTotal ? (ofType ?? found.total) : null,
    });
  };
};
