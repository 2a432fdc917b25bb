/**
 * An interval from its first millisecond to the first one after it, both since 1970 in UTC. It never ends before it
 * begins.
 */
export type Interval = { readonly from: number; readonly until: number };

/** A value by which a search finds a record, in addition to its id and its patient. */
export type IndexEntry =
  | { readonly kind: 'token'; readonly parameter: string; readonly system: string; readonly code: string }
  | { readonly kind: 'reference'; readonly parameter: string; readonly type: string; readonly id: string }
  | ({ readonly kind: 'date'; readonly parameter: string } & Interval);

/**
 * An index entry as a text. Entries with the same values have the same text, whatever the order of their properties.
 */
export const serializeIndexEntry = (entry: IndexEntry): string =>
  JSON.stringify(Object.entries(entry).toSorted());
