import type { IndexEntry } from './query.ts';

/**
 * An index entry as a text. Entries with the same values have the same text, whatever the order of their properties.
 */
export const serializeIndexEntry = (entry: IndexEntry): string =>
  JSON.stringify(Object.entries(entry).toSorted());
