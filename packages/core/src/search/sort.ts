import type { SearchParameterTable } from './parameters.ts';
import type { ResultParameters, ResultParameterTable } from './parse-search.ts';

/** A parameter by which matches are sorted: the earliest first, or the latest first. */
type SortKey = { readonly name: string; readonly isDescending: boolean };

/** The order of the matches of a search: by the first key, and where they are equal by it, by the next. */
export type Sort = readonly SortKey[];

/** The parameter `_sort`, if there is a time to sort by. Its values are the parameters that compare times. Source: FHIR R4, Search, 3.1.1.5.1. */
export const sortParameter = (declared: SearchParameterTable): ResultParameterTable => {
  const values = Object.entries(declared).flatMap(([name, { kind }]) =>
    kind === 'date' || kind === 'lastUpdated' ? [name, `-${name}`] : [],
  );
  return values.length === 0 ? {} : { _sort: { kind: 'sort', values } };
};

/** Parses the keys of a value of `_sort`, which have commas between them. */
export const parseSort = (value: string): Sort =>
  value.split(',').map((key) => {
    const isDescending = key.startsWith('-');
    return { name: isDescending ? key.slice(1) : key, isDescending };
  });

/** The value of `_sort` that has these keys. */
export const formatSort = (sort: Sort): string =>
  sort.map(({ name, isDescending }) => (isDescending ? `-${name}` : name)).join(',');

/** The order that a search asks for; undefined if it asks for none. */
export const sortOf = ({ results }: Pick<ResultParameters, 'results'>): Sort | undefined => {
  const [value] = results.get('_sort') ?? [];
  return value === undefined ? undefined : parseSort(value);
};

/** Whether a value of `_sort` has only such keys, and no parameter twice. */
export const isSort = (value: string, keys: readonly string[]): boolean => {
  const names = parseSort(value).map(({ name }) => name);
  return value.split(',').every((key) => keys.includes(key)) && new Set(names).size === names.length;
};

/**
 * A match as it is sorted. Its `times`, one for each key, are in milliseconds since 1970 in UTC, or null where it has none.
 * `place` counts the matches in the order of their creation.
 */
export type SortedEntry = { readonly times: readonly (number | null)[]; readonly place: number };

/** Compares two matches. Those without a time come last in both directions, and ties are in the order of creation. */
export const compareEntries =
  (sort: Sort) =>
  (a: SortedEntry, b: SortedEntry): number => {
    for (const [index, { isDescending }] of sort.entries()) {
      const [time = null, other = null] = [a.times[index], b.times[index]];
      if (time === other) continue;
      if (time === null) return 1;
      if (other === null) return -1;
      return isDescending ? other - time : time - other;
    }
    return a.place - b.place;
  };
