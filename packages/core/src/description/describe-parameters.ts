import { type DeclaredParameters, modifiersOf } from '../search/named-parameter.ts';
import { defaultCount, maxCount, type PagingName } from '../search/paging.ts';
import type { SearchParameter } from '../search/parameters.ts';
import type { ResultParameter, ResultParameterTable } from '../search/parse-search.ts';
import { datePrefixes } from '../store/query.ts';
import type { JsonSchema } from './json-schema.ts';

/** A search parameter in `records.describe()`, for documents such as OpenAPI. */
export type ParameterDescription = {
  /** The name, such as `patient`. */
  readonly name: string;
  /** The values that it allows, as a sentence. */
  readonly description: string;
  /** The values that it allows, as far as JSON Schema can express it. */
  readonly schema: JsonSchema;
  /** The type of a search parameter in FHIR; null if it only selects the page. */
  readonly searchType: 'token' | 'reference' | 'date' | 'string' | 'number' | 'quantity' | 'uri' | null;
};

const asCode = (text: string) => `\`${text}\``;
const anyOf = (texts: readonly string[]) => texts.map(asCode).join(', ');

const describeParameter = (parameter: SearchParameter): string => {
  switch (parameter.kind) {
    case 'id':
      return 'Id of the resource.';
    case 'patient':
      return 'Reference to the patient: `Patient/<id>`, or only the id.';
    case 'token':
      return parameter.codes === undefined
        ? 'Token: `code`, `system|code`, `system|` or `|code`.'
        : `Token: one of ${anyOf(parameter.codes)}, with or without its system and \`|\` before it.`;
    case 'fixed':
      return `Token: ${anyOf(parameter.codes)}, with or without its system and \`|\` before it.`;
    case 'profile':
      return `URL of a profile: ${anyOf([parameter.profile])}.`;
    case 'reference':
      return `Reference: ${anyOf(parameter.types.map((type) => `${type}/<id>`))}, or only the id${parameter.hasVersions ? '; a version, with `/_history/<version>` after it' : ''}.`;
    case 'string':
      return 'The beginnings of words, in any order, without regard to accents and case.';
    case 'since':
      return 'Only versions from this date or time on.';
    case 'lastUpdated':
    case 'date':
      return `Date, or time with its offset, of any precision, with one of the prefixes ${anyOf(datePrefixes)} or none.`;
  }
};

const describeModifiers = (modifiers: readonly string[]): string =>
  modifiers.length === 0 ? '' : ` Modifiers: ${anyOf(modifiers.map((modifier) => `:${modifier}`))}.`;

const wholeNumber = { type: 'integer', minimum: 0 };

/** The types of the parameters in FHIR. */
const searchTypes = {
  id: 'token',
  patient: 'reference',
  token: 'token',
  fixed: 'token',
  profile: 'uri',
  reference: 'reference',
  date: 'date',
  string: 'string',
  lastUpdated: 'date',
  since: 'date',
} as const satisfies Record<SearchParameter['kind'], ParameterDescription['searchType']>;

const paging: Readonly<Record<PagingName, Pick<ParameterDescription, 'description' | 'schema'>>> = {
  _count: {
    description: `The most resources of a page: at most ${maxCount}, and fewer if they are large; 0 returns only the total.`,
    schema: { ...wholeNumber, default: defaultCount },
  },
  _offset: {
    description: 'How many matches are before the page.',
    schema: { ...wholeNumber, default: 0 },
  },
  _after: {
    description: 'Where the page begins: an opaque text that a `next` link of the search has.',
    schema: { type: 'string' },
  },
};

/** The effects of the result parameters that are a choice. */
const choices: Readonly<Record<string, string>> = {
  _summary: 'The parts of each match: with `count`, only the total is returned.',
  _total: 'The total is accurate with each value.',
};

const describeResultParameter = (
  name: string,
  parameter: ResultParameter,
): Pick<ParameterDescription, 'description' | 'schema'> => {
  switch (parameter.kind) {
    case 'include':
      return {
        description: `Adds resources to the page, which are not counted: ${anyOf(parameter.values)}.`,
        schema: { type: 'string', enum: parameter.values },
      };
    case 'sort': {
      const key = `(${parameter.values.join('|')})`;
      return {
        description: `The order of the matches, by these with commas between them: ${anyOf(parameter.values)}. With \`-\` before it, the latest is first, or the last in the alphabet. Default: as they were created.`,
        schema: { type: 'string', pattern: `^${key}(,${key})*$` },
      };
    }
    case 'choice':
      return { description: choices[name] ?? '', schema: { type: 'string', enum: parameter.values } };
    case 'elements':
      return {
        description:
          'Names of elements with commas between them: each match has these and the mandatory ones.',
        schema: { type: 'string' },
      };
  }
};

const value = { type: 'string', minLength: 1 };

/** One value, or the values of a repeated parameter, all of which count. */
const values = { anyOf: [value, { type: 'array', items: value }] };

/** Describes every parameter of a search. */
export const describeParameters = ({
  declared,
  isStored = false,
  results = {},
}: DeclaredParameters & {
  readonly results?: ResultParameterTable;
}): readonly ParameterDescription[] => [
  ...Object.entries(declared).map(([name, parameter]) => ({
    name,
    description: `${describeParameter(parameter)}${describeModifiers(modifiersOf(parameter, { isStored }))}`,
    schema: values,
    searchType: searchTypes[parameter.kind],
  })),
  ...Object.entries(results).map(([name, parameter]) => ({
    name,
    ...describeResultParameter(name, parameter),
    searchType: null,
  })),
  ...Object.entries(paging).map(([name, described]) => ({ name, ...described, searchType: null })),
];
