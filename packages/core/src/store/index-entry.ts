/**
 * An interval from its first millisecond to the first one after it, both since 1970 in UTC. It never ends before it
 * begins.
 */
export type Interval = {
  /** The first millisecond. */
  readonly from: number;
  /** The first millisecond after it. */
  readonly until: number;
};

/** A value by which a search finds a record, in addition to its id and its patient. */
export type IndexEntry =
  | {
      /** A code of a code system. */
      readonly kind: 'token';
      /** The search parameter that finds it. */
      readonly parameter: string;
      /** The code system, of at most 500 characters; '' for none. */
      readonly system: string;
      /** The code, of at most 500 characters. */
      readonly code: string;
    }
  | {
      /** A reference to a resource. */
      readonly kind: 'reference';
      /** The search parameter that finds it. */
      readonly parameter: string;
      readonly type: string;
      readonly id: string;
    }
  | {
      /** A word of a text, in the form in which words are compared. */
      readonly kind: 'string';
      /** The search parameter that finds it. */
      readonly parameter: string;
      /** The word, of 1 to 500 characters, without U+10FFFF. */
      readonly word: string;
    }
  | ({
      readonly kind: 'date';
      /** The search parameter that finds it. */
      readonly parameter: string;
    } & Interval);

/**
 * An index entry as a text. Entries with the same values have the same text, whatever the order of their properties.
 */
export const serializeIndexEntry = (entry: IndexEntry): string =>
  JSON.stringify(Object.entries(entry).toSorted());

/** Whether two lists have the same index entries, in any order and however often. */
export const isSameIndex = (a: readonly IndexEntry[], b: readonly IndexEntry[]): boolean =>
  new Set(a.map(serializeIndexEntry)).symmetricDifference(new Set(b.map(serializeIndexEntry))).size === 0;

/**
 * Texts that say how all records are indexed by search parameters, by the names of the parameters. A store does not interpret
 * them. Names and texts are ASCII, and a store keeps a thousand.
 */
export type IndexedParameters = Readonly<Record<string, string>>;
