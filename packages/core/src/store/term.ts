import type { IndexEntry, Interval } from './index-entry.ts';

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
