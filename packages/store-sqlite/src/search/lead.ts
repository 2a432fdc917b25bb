import type { Lead, Search } from './search.ts';
import type { SearchStatements } from './statements.ts';

const firstCap = 256;
const growth = 16;

/**
 * Begins a search where the fewest records have to be looked at.
 *
 * Ids and patients are few. Among other criteria the counts decide, each going no further than a few times the
 * smallest of them, so that choosing never costs more than the search itself.
 */
export const leadOf = (search: Search, countUpTo: SearchStatements['countUpTo']): Lead => {
  const { criteria } = search;
  if (criteria.length === 0 || criteria.some(({ on }) => on === 'id' || on === 'patient')) return 'records';
  if (criteria.length === 1) return 0;
  for (let cap = firstCap; ; cap *= growth) {
    for (const lead of criteria.keys()) {
      if (countUpTo(cap, search, lead) < cap) return lead;
    }
  }
};
