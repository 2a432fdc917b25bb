import { type IndexedRecord, type Match, matches, type Page, type Query } from '@clinical-records/core';

/** One page of the records that have a resource and match; they come and stay in the order of their creation. */
export const search = (records: readonly IndexedRecord[], query: Query): Page => {
  const asked = matches(query);
  const found = records.flatMap((record): readonly Match[] => {
    const { position, id, resource } = record;
    return resource !== null && asked(record) ? [{ position, id, resource }] : [];
  });
  const { start, count } = query;
  const rest =
    'offset' in start ? found.slice(start.offset) : found.filter(({ position }) => position > start.after);
  return { matches: rest.slice(0, count), total: found.length };
};
