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
      /** The type of the resource. */
      readonly type: string;
      readonly id: string;
    }
  | ({
      /** A time. */
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
 * The content of an index entry in one form for all kinds, for stores that keep equal contents once. Of a date it says only
 * that there is one, under a parameter.
 */
export type Term = {
  /** The type of the record. */
  readonly type: string;
  /** The kind of the entry. */
  readonly kind: IndexEntry['kind'];
  /** The search parameter that finds it. */
  readonly parameter: string;
  /** The code system of a token, or the type of a reference; '' for a date. */
  readonly system: string;
  /** The code of a token, or the id of a reference; '' for a date. */
  readonly code: string;
};

/** The term of an index entry of a record. */
export const termOf = (type: string, entry: IndexEntry): Term => {
  const { kind, parameter } = entry;
  switch (entry.kind) {
    case 'token':
      return { type, kind, parameter, system: entry.system, code: entry.code };
    case 'reference':
      return { type, kind, parameter, system: entry.type, code: entry.id };
    case 'date':
      return { type, kind, parameter, system: '', code: '' };
  }
};

/** The index entry of a term. The interval is that of a date. */
export const indexEntryOf = (
  { kind, parameter, system, code }: Term,
  { from, until }: Interval,
): IndexEntry => {
  switch (kind) {
    case 'token':
      return { kind, parameter, system, code };
    case 'reference':
      return { kind, parameter, type: system, id: code };
    case 'date':
      return { kind, parameter, from, until };
  }
};
