import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, invalidRequest } from '../errors.ts';
import { type Form, isNamedValues } from '../forms.ts';
import { parameterIssue } from './issues.ts';
import type { SearchParameter, SearchParameterTable } from './parameters.ts';

/** The name of a parameter, and one value. */
export type SearchPair = readonly [name: string, value: string];

/**
 * Search parameters as text: pairs of a name and a value, such as a `URLSearchParams`. The compiler does not check them; the
 * search does.
 */
export type SearchPairs = Iterable<SearchPair>;

/**
 * The values of a name. A missing or undefined value counts as an empty value, which is refused. If it were ignored,
 * the search would find everything.
 */
const valuesOf = (value: unknown): readonly string[] => {
  const values = [value]
    .flat()
    .map((item) => (typeof item === 'number' || typeof item === 'boolean' ? String(item) : item));
  return values.length === 0 ? [''] : values.map((item) => (typeof item === 'string' ? item : ''));
};

/** The parameters of a search as pairs, in their order. */
export const pairsOf = (parameters: SearchPairs | object): readonly SearchPair[] =>
  Symbol.iterator in parameters
    ? [...(parameters as SearchPairs)]
    : Object.entries(parameters).flatMap(([name, value]) =>
        valuesOf(value).map((text) => [name, text] as const),
      );

/** Whether a value has the parameters of a search, by their names or in pairs. */
export const isParameters = (value: unknown): value is object => {
  if (!Array.isArray(value)) return isNamedValues(value);
  for (const pair of value) {
    const isPair = Array.isArray(pair) && pair.length === 2;
    if (!isPair || typeof pair[0] !== 'string' || typeof pair[1] !== 'string') return false;
  }
  return true;
};

/** Pairs of names and values. They are read at the call, because some can be read only once. */
export const searchPairs: Form = {
  read: (value) =>
    typeof value === 'object' && value !== null && Symbol.iterator in value
      ? [...(value as Iterable<unknown>)]
      : value,
  is: (value) => Array.isArray(value) && isParameters(value),
  names: 'parameters',
  must: 'pairs of texts, such as a URLSearchParams',
};

/** The parameters of a search. */
export const searchParameters: Form = {
  ...searchPairs,
  is: isParameters,
  must: "an object such as { patient: '7' }, or pairs of texts such as a URLSearchParams",
};

/**
 * Splits a text at each separator without a backslash before it. The parts keep their escapes.
 *
 * Source: FHIR R4, Search, 3.1.1.3.
 */
export const splitUnescaped =
  (separator: ',' | '|') =>
  (value: string): readonly string[] => {
    if (!value.includes('\\')) return value.split(separator);
    const parts = [''];
    for (const [character] of value.matchAll(/\\?./gsu)) {
      if (character === separator) parts.push('');
      else parts[parts.length - 1] += character;
    }
    return parts;
  };

/** Removes the backslashes that escape `,`, `|`, `$` and `\`. */
export const removeEscapes = (value: string): string => value.replace(/\\([,|$\\])/g, '$1');

/** A token with a known code: the code, several with commas between them, or a code with its system. */
type KnownToken<Code extends string> = Code | `${Code},${string}` | `${string}|${string}`;

/** A value of a parameter. Dates and ids are texts, which the search checks. */
type SearchValue<Parameter extends SearchParameter> = Parameter extends {
  readonly codes: readonly (infer Code extends string)[];
}
  ? KnownToken<Code>
  : Parameter extends { readonly knownCodes: readonly (infer Code extends string)[] }
    ? KnownToken<Code>
    : Parameter extends { readonly types: readonly (infer Type extends string)[] }
      ? `${Type}/${string}`
      : string;

/** Which page of a search is returned. Source: FHIR R4, Search, 3.1.1.5.3. */
export interface SearchPaging {
  /** The largest number of resources in the page: 10 by default, and at most 100. With 0, only the total is returned. */
  readonly _count?: number | string;
  /** How many matches to skip. */
  readonly _offset?: number | string;
  /** The opaque text of a `next` link, after which the page begins. */
  readonly _after?: string;
}

/** The order of the matches of a search. Source: FHIR R4, Search, 3.1.1.5.1. */
export interface SearchSort {
  /**
   * `_id`, `_lastUpdated`, dates, and codes such as `status`, with commas between them, such as `status,-date`: with `-` before it, the
   * latest is first, or the last in the alphabet.
   */
  readonly _sort?: string;
}

/** The resources and elements in a page of a search. Source: FHIR R4, Search, 3.1.1.5.4 to 3.1.1.5.8. */
export interface SearchContent {
  /** Resources to which a match refers, such as `Goal:patient`. They are not counted. */
  readonly _include?: string | readonly string[];
  /** Resources that refer to a match, such as `Provenance:target`. They are not counted. */
  readonly _revinclude?: 'Provenance:target';
  /** With `count`, a page has only the total. With `true` or `text`, matches have fewer elements. */
  readonly _summary?: 'true' | 'text' | 'data' | 'count' | 'false';
  /** Names of elements with commas between them: matches have these and the mandatory ones. */
  readonly _elements?: string;
}

/** The values of a parameter, all of which must match. */
type SearchValues<Parameter extends SearchParameter> =
  | SearchValue<Parameter>
  | readonly SearchValue<Parameter>[];

/** The parameters of a search, each with one value, or with several that must all match. */
export type SearchInput<Table extends SearchParameterTable> = SearchPaging & {
  readonly [Name in keyof Table]?: SearchValues<Table[Name]>;
};

/**
 * The parameters of a search that a store runs. With `:not`, resources are found that have none of the values, and with `:missing`
 * those that have no value at all. Source: FHIR R4, Search, "Modifiers".
 */
export type StoredSearchInput<Table extends SearchParameterTable> = SearchInput<Table> & {
  readonly [Name in keyof Table & string as Table[Name] extends { readonly kind: 'token' | 'fixed' | 'id' }
    ? `${Name}:not`
    : never]?: SearchValues<Table[Name]>;
} & { readonly [Name in keyof Table & string as `${Name}:missing`]?: boolean | 'true' | 'false' };

/** The parameters with which a page has other resources than whole ones that match. */
const otherResults: readonly string[] = ['_include', '_revinclude', '_summary', '_elements'];

/** Refuses a search whose result would not be a bundle of whole resources of its type, as a typed search returns it. */
export const requireWholeMatches = (
  parameters: SearchPairs | object,
): E.Either<ClinicalError, readonly SearchPair[]> => {
  const pairs = pairsOf(parameters);
  const issues = pairs.flatMap(([name]) =>
    otherResults.includes(name) ? [parameterIssue('json-only', name)] : [],
  );
  return issues.length === 0 ? E.right(pairs) : E.left(invalidRequest(issues));
};
