import { type Match, matches, type Page, type Query } from '@clinical-records/core';
import { currentOf, type Kept } from './ledger.ts';

/** One page of the records that have a resource and match; they come and stay in the order of their creation. */
export const search = (records: Iterable<Kept>, query: Query): Page => {
  const asked = matches(query);
  const found = [...records].flatMap((record): readonly Match[] => {
    const { id, resource } = currentOf(record);
    return resource !== null && asked(record) ? [{ position: record.position, id, resource }] : [];
  });
  const { start, count } = query;
  const rest =
    'offset' in start ? found.slice(start.offset) : found.filter(({ position }) => position > start.after);
  return { matches: rest.slice(0, count), total: found.length };
};
