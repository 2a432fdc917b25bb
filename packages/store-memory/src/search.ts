import { type Match, matches, type Page, type Query } from '@clinical-records/core';
import { currentOf, type Kept } from './ledger.ts';

/** One page of the records that have a resource and match; they come and stay in the order of their creation. */
export const search = (records: Iterable<Kept>, query: Query): Page => {
  const asked = matches(query);
  const found = [...records].filter((record) => currentOf(record).resource !== null && asked(record));
  const { start, count } = query;
  const rest =
    'offset' in start ? found.slice(start.offset) : found.filter(({ position }) => position > start.after);
  return {
    matches: rest.slice(0, count).map((record): Match => {
      const { state: _state, ...current } = currentOf(record);
      return { ...current, position: record.position };
    }),
    total: found.length,
  };
};
