import type { SearchParameterTable } from './parameters.ts';

/** The order of the matches of a search: by the parameter `key`, least first or greatest first. */
export type Sort = { readonly key: string; readonly isDescending: boolean };

/** The values of `_sort`: each parameter that compares times, with `-` before it and without. Source: FHIR R4, Search, 3.1.1.5.1. */
export const sortValues = (declared: SearchParameterTable): readonly string[] =>
  Object.entries(declared).flatMap(([name, { kind }]) =>
    kind === 'date' || kind === 'lastUpdated' ? [name, `-${name}`] : [],
  );

/** Parses a value of `_sort`. */
export const parseSort = (value: string): Sort => {
  const isDescending = value.startsWith('-');
  return { key: isDescending ? value.slice(1) : value, isDescending };
};

/**
 * A match as it is sorted. `key` is a time in milliseconds since 1970 in UTC, or null.
 * `place` counts the matches in the order of their creation.
 */
export type SortedEntry = { readonly key: number | null; readonly place: number };

/** Compares two matches. Those without a time come last in both directions, and ties are in the order of creation. */
export const compareEntries =
  ({ isDescending }: Sort) =>
  (one: SortedEntry, other: SortedEntry): number => {
    if (one.key === other.key) return one.place - other.place;
    if (one.key === null) return 1;
    if (other.key === null) return -1;
    return isDescending ? other.key - one.key : one.key - other.key;
  };
