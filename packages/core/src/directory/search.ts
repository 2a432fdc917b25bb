import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from '../environment.ts';
import type { Outcome } from '../errors.ts';
import type { Bundle } from '../fhir/bundle.ts';
import { parseChartLimit, type ReadOptions } from '../records/chart-limit.ts';
import type { DerivedResource, SearchFacts } from '../records/definition.ts';
import { createJsonReads } from '../records/json-reads.ts';
import { wordEntries } from '../search/parameters.ts';
import {
  requireWholeMatches,
  type SearchContent,
  type SearchPairs,
  type StoredSearchInput,
} from '../search/search-input.ts';
import type { DirectoryEntry } from './model.ts';
import { type DirectoryResource, deriveDirectoryResource, type HumanName } from './resources.ts';

const patientParameters = {
  _id: { kind: 'id', patientIdOf: (id: string) => id },
  name: { kind: 'string' },
} as const satisfies SearchFacts['parameters'];

const practitionerParameters = {
  _id: { kind: 'id' },
  name: { kind: 'string' },
} as const satisfies SearchFacts['parameters'];

const organizationParameters = practitionerParameters;

/** The search parameters of patients. Source: docs/http-interface.md#people. */
export interface PatientSearch extends StoredSearchInput<typeof patientParameters> {}

/** The search parameters of practitioners. Source: docs/http-interface.md#people. */
export interface PractitionerSearch extends StoredSearchInput<typeof practitionerParameters> {}

/** The search parameters of organizations. Source: docs/http-interface.md#people. */
export interface OrganizationSearch extends StoredSearchInput<typeof organizationParameters> {}

/** The search parameters of the entries that a search finds, by their type. */
export type DirectorySearch = {
  readonly Patient: PatientSearch;
  readonly Practitioner: PractitionerSearch;
  readonly Organization: OrganizationSearch;
};

/** The same with what a page as JSON text can leave out of its matches. */
export type DirectoryJsonSearch<Type extends DirectorySearchType> = DirectorySearch[Type] &
  Pick<SearchContent, '_summary' | '_elements'>;

/** The type of an entry that a search finds. @useDeclaredType */
export type DirectorySearchType = keyof DirectorySearch;

const namesOf = ([{ text = '', family = '', given }]: readonly [HumanName]): readonly string[] => [
  text,
  family,
  ...(given ?? []),
];

/** The facts about the types of entries that a search finds. */
export const directoryFacts: {
  readonly [Type in DirectorySearchType]: SearchFacts & {
    readonly index: (resource: DirectoryResource[Type]) => DerivedResource['index'];
  };
} = {
  Patient: {
    type: 'Patient',
    isUnversioned: true,
    parameters: patientParameters,
    index: ({ name }) => wordEntries('name', ...namesOf(name)),
    elements: { mandatory: ['name'], summary: ['active', 'link'] },
  },
  Practitioner: {
    type: 'Practitioner',
    isUnversioned: true,
    parameters: practitionerParameters,
    index: ({ name }) => wordEntries('name', ...namesOf(name)),
    elements: { mandatory: ['name'], summary: [] },
  },
  Organization: {
    type: 'Organization',
    isUnversioned: true,
    parameters: organizationParameters,
    index: ({ name }) => wordEntries('name', name),
    elements: { mandatory: ['name'], summary: [] },
  },
};

/** The types of entries that a search in the directory finds. */
export const directorySearchTypes = Object.keys(directoryFacts) as readonly DirectorySearchType[];

/** Derives the resource of an entry, and the index entries by which a search finds it. */
export const deriveEntry =
  <Type extends DirectorySearchType>(type: Type) =>
  (entry: DirectoryEntry[Type]): DerivedResource => {
    const resource = deriveDirectoryResource[type](entry);
    return { resource, index: directoryFacts[type].index(resource) };
  };

/** Searches the stored entries of a type. */
type SearchEntries<Result> = <Type extends DirectorySearchType>(
  type: Type,
  parameters: DirectorySearch[Type] | SearchPairs,
  options?: ReadOptions,
) => Outcome<Result>;

/** Creates the searches of entries, with a bundle as JSON text. A limit to charts is only one for patients. */
export const createSearchEntries = (environment: Environment): SearchEntries<string> => {
  const searchOf = (type: DirectorySearchType) =>
    createJsonReads(environment, { facts: directoryFacts[type] }).search;
  const searches = {
    Patient: searchOf('Patient'),
    Practitioner: searchOf('Practitioner'),
    Organization: searchOf('Organization'),
  };
  return async (type, parameters, options = {}) => {
    if (type === 'Patient') return searches[type](parameters, options);
    const limit = parseChartLimit(options);
    if (E.isLeft(limit)) return limit;
    const { within: _within, authorize: _authorize, ...rest } = options;
    return searches[type](parameters, rest);
  };
};

/** The same searches, with a bundle. */
export const createTypedSearch =
  (searchEntries: SearchEntries<string>) =>
  async <Type extends DirectorySearchType>(
    type: Type,
    parameters: DirectorySearch[Type] | SearchPairs,
    options?: ReadOptions,
  ): Outcome<Bundle<DirectoryResource[Type]>> => {
    const pairs = requireWholeMatches(parameters);
    if (E.isLeft(pairs)) return pairs;
    const bundle = await searchEntries(type, pairs.right, options);
    return E.map((json: string) => JSON.parse(json) as Bundle<DirectoryResource[Type]>)(bundle);
  };
