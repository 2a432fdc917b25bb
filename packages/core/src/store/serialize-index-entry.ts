import type { IndexEntry } from './query.ts';

/** An index entry as a text that is the same for entries which say the same, whatever the order of their properties. */
export const serializeIndexEntry = (entry: IndexEntry): string =>
  JSON.stringify(Object.entries(entry).toSorted());
