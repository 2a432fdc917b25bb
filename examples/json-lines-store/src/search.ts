import { type Match, matches, type Page, type Query } from '@clinical-records/core';
import type { Kept } from './ledger.ts';

/** One page of the records that have a resource and match, in the order in which they come. */
export const search = (records: readonly Kept[], query: Query): Page => {
  const asked = matches(query);
  const found = records.flatMap(({ current, index, position }): readonly Match[] => {
    const { id, resource } = current;
    return resource !== null && asked({ ...current, index }) ? [{ position, id, resource }] : [];
  });
  const { start, count } = query;
  const rest =
    'offset' in start ? found.slice(start.offset) : found.filter(({ position }) => position > start.after);
  return { matches: rest.slice(0, count), total: found.length };
};
