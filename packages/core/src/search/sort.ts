import type { SearchParameter, SearchParameterTable } from './parameters.ts';
import type { ResultParameters, ResultParameterTable } from './parse-search.ts';

/** A parameter by which matches are sorted: the earliest or the first in the alphabet first, or the other way round. */
type SortKey = { readonly name: string; readonly isDescending: boolean };

/** The order of the matches of a search: by the first key, and where they are equal by it, by the next. */
export type Sort = readonly SortKey[];

/** Whether matches can be sorted by a parameter: a time, the id, or one of some codes. */
const isSortable = (parameter: SearchParameter): boolean =>
  ['date', 'lastUpdated', 'id'].includes(parameter.kind) ||
  (parameter.kind === 'token' && parameter.codes !== undefined);

/** The parameter `_sort`, if there is one to sort by. Source: FHIR R4, Search, 3.1.1.5.1. */
export const sortParameter = (declared: SearchParameterTable): ResultParameterTable => {
  const values = Object.entries(declared).flatMap(([name, parameter]) =>
    isSortable(parameter) ? [name, `-${name}`] : [],
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

/** A value by which a match is sorted: a time in milliseconds since 1970 in UTC, an id or a code; null if it has none. */
export type SortValue = number | string | null;

/** A match as it is sorted, with a value for each key. `place` counts the matches in the order of their creation. */
export type SortedEntry = { readonly values: readonly SortValue[]; readonly place: number };

/** Compares two values. Those of a key have one type, except in a cursor that a client wrote. */
export const compareValues = (a: number | string, b: number | string): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return `${a}` < `${b}` ? -1 : 1;
};

/** Compares two matches. Those without a value come last in both directions, and ties are in the order of creation. */
export const compareEntries =
  (sort: Sort) =>
  (a: SortedEntry, b: SortedEntry): number => {
    for (const [index, { isDescending }] of sort.entries()) {
      const [value = null, other = null] = [a.values[index], b.values[index]];
      if (value === other) continue;
      if (value === null) return 1;
      if (other === null) return -1;
      return isDescending ? compareValues(other, value) : compareValues(value, other);
    }
    return a.place - b.place;
  };
