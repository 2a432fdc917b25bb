import type { Match, Page, Query } from '@clinical-records/core';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import type { Terms } from '../terms.ts';
import { leadOf } from './lead.ts';
import { type Lead, type Search, searchFor } from './search.ts';
import { searchStatements } from './statements.ts';

/** How many match in all, where the page itself shows it: where it was reached by its offset and is the last. */
const toldBy = ({ start, count }: Search, page: readonly Match[]): number | null =>
  'offset' in start && page.length < count && (page.length > 0 || start.offset === 0)
    ? start.offset + page.length
    : null;

/** One page, and the total at the same moment: both are read in one transaction. */
export const searching = (
  database: SqliteDatabase,
  db: QueryBuilder,
  terms: Terms,
): ((query: Query) => Page) => {
  const statements = searchStatements(database, db);

  /** A page far into all records of a type is reached sooner from their end. */
  const isBeyondMiddle = (search: Search, lead: Lead): boolean => {
    const { start } = search;
    return (
      search.conditions.length === 0 &&
      'offset' in start &&
      start.offset > 0 &&
      start.offset * 2 > statements.total(search, lead)
    );
  };

  return database.transaction((query: Query): Page => {
    const search = searchFor(terms, query);
    if (search === null) return { matches: [], total: 0 };
    const lead = leadOf(search, statements.countUpTo);
    const matches = statements.page(search, lead, isBeyondMiddle(search, lead) ? 'end' : 'start');
    return { matches, total: toldBy(search, matches) ?? statements.total(search, lead) };
  });
};
