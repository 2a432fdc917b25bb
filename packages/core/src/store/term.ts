import type { IndexEntry, Interval } from './index-entry.ts';

/**
 * The content of an index entry in one form for all kinds, for stores that keep equal contents once. Of a date it says only
 * that there is one, under a parameter.
 */
export type Term = {
  readonly type: string;
  readonly kind: IndexEntry['kind'];
  /** The search parameter that finds it. */
  readonly parameter: string;
  /** The code system of a token, or the type of a reference; otherwise ''. */
  readonly system: string;
  /** The code of a token, the id of a reference, or a word; '' for a date. */
  readonly code: string;
};

/** Leaves out of an index entry the part that only dates have: their intervals. */
export const termOf = (type: string, entry: IndexEntry): Term => {
  const { kind, parameter } = entry;
  switch (entry.kind) {
    case 'token':
      return { type, kind, parameter, system: entry.system, code: entry.code };
    case 'reference':
      return { type, kind, parameter, system: entry.type, code: entry.id };
    case 'string':
      return { type, kind, parameter, system: '', code: entry.word };
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
    case 'string':
      return { kind, parameter, word: code };
    case 'date':
      return { kind, parameter, from, until };
  }
};

/**
 * The first text after all words that begin with a text, in the order of their code points, which is that of their bytes in
 * UTF-8. U+10FFFF is not a character, and Unicode leaves it to programs as the end of a range.
 */
export const endOfWords = (beginning: string): string => `${beginning}\u{10ffff}`;
