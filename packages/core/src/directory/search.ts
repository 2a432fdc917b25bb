import * as E from 'fp-ts/lib/Either.js';
import type { ReadOptions } from '../access/chart-limit.ts';
import type { Environment } from '../environment.ts';
import type { Outcome } from '../errors.ts';
import type { Bundle } from '../fhir/bundle.ts';
import type { TimeZone } from '../fhir/date-time.ts';
import type { DerivedResource, SearchFacts } from '../records/definition.ts';
import { hostReader, readTargets } from '../records/include.ts';
import { createJsonReads, type ShowMatches } from '../records/json-reads.ts';
import { openReach } from '../records/reach.ts';
import { parseMatches } from '../records/resource-reads.ts';
import { indexerOf, type StoredParameterTable } from '../search/index-entries.ts';
import {
  requireWholeMatches,
  type SearchContent,
  type SearchPairs,
  type SearchSort,
  type StoredSearchInput,
} from '../search/search-input.ts';
import { type DirectoryEntry, genders } from './model.ts';
import {
  type DirectoryResource,
  deriveDirectoryResource,
  type OrganizationResource,
  type PatientResource,
  type PractitionerResource,
} from './resources.ts';

type WithName = Pick<PatientResource, 'name'>;

/** The last name, and the first name if there is one. A name that is not divided is a last name. */
const namesOf = ({ name: [{ text = '', family = text, given }] }: WithName) => ({
  family,
  given: given?.[0] ?? '',
});

const familyOf = (person: WithName): readonly string[] => [namesOf(person).family];

const givenOf = (person: WithName): readonly string[] => [namesOf(person).given];

const allNamesOf = (person: WithName): readonly string[] => [...familyOf(person), ...givenOf(person)];

const patientParameters = {
  /** The id of the patient. */
  _id: {
    kind: 'id',
    /** A patient is the patient of its own entry. */
    patientIdOf: (id: string) => id,
  },
  /** A number or a text by which people and other systems know the patient: `system|value`, or only the value. */
  identifier: { kind: 'token', at: 'identifier' },
  /** The beginnings of words of the name, in any order, such as `amy sh`. */
  name: { kind: 'string', at: allNamesOf, version: 1 },
  /** The beginnings of words of the last name. */
  family: { kind: 'string', at: familyOf, version: 1 },
  /** The beginnings of words of the first name. */
  given: { kind: 'string', at: givenOf, version: 1 },
  /** The date of birth. */
  birthdate: { kind: 'date', isSingle: true, at: 'birthDate' },
  /** When the patient died. */
  'death-date': { kind: 'date', isSingle: true, at: 'deceasedDateTime' },
  /** The gender for administrative purposes. */
  gender: {
    kind: 'token',
    at: 'gender',
    system: 'http://hl7.org/fhir/administrative-gender',
    codes: genders,
  },
} as const satisfies StoredParameterTable<PatientResource>;

const practitionerParameters = {
  /** The id of the practitioner. */
  _id: { kind: 'id' },
  /** A number or a text by which people and other systems know the practitioner: `system|value`, or only the value. */
  identifier: { kind: 'token', at: 'identifier' },
  /** The beginnings of words of the name, in any order, such as `ada by`. */
  name: { kind: 'string', at: allNamesOf, version: 1 },
} as const satisfies StoredParameterTable<PractitionerResource>;

const organizationParameters = {
  /** The id of the organization. */
  _id: { kind: 'id' },
  /** A number or a text by which people and other systems know the organization: `system|value`, or only the value. */
  identifier: { kind: 'token', at: 'identifier' },
  /** The beginnings of words of the name, in any order, such as `home ca`. */
  name: { kind: 'string', at: 'name' },
} as const satisfies StoredParameterTable<OrganizationResource>;

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
  Pick<SearchContent, '_summary' | '_elements'> &
  SearchSort;

/** The type of an entry that a search finds. @useDeclaredType */
export type DirectorySearchType = keyof DirectorySearch;

/** The facts about the types of entries that a search finds. */
export const directoryFacts: Readonly<Record<DirectorySearchType, SearchFacts>> = {
  Patient: {
    type: 'Patient',
    parameters: patientParameters,
    elements: {
      mandatory: ['identifier', 'name', 'gender'],
      summary: ['active', 'birthDate', 'deceased[x]', 'link'],
    },
  },
  Practitioner: {
    type: 'Practitioner',
    parameters: practitionerParameters,
    elements: { mandatory: ['identifier', 'name'], summary: [] },
  },
  Organization: {
    type: 'Organization',
    parameters: organizationParameters,
    elements: { mandatory: ['name'], summary: ['identifier'] },
  },
};

/** The types of entries that a search in the directory finds. */
export const directorySearchTypes = Object.keys(directoryFacts) as readonly DirectorySearchType[];

/** Derives the resource of an entry, and the index entries by which a search finds it. */
export const deriveEntry =
  <Type extends DirectorySearchType>(type: Type, zone: TimeZone) =>
  (entry: DirectoryEntry[Type]): DerivedResource => {
    const resource = deriveDirectoryResource[type](entry);
    return { resource, index: indexerOf(directoryFacts[type].parameters)(resource, zone) };
  };

/** Searches the stored entries of a type. */
type SearchEntries<Result> = <Type extends DirectorySearchType>(
  type: Type,
  parameters: (DirectorySearch[Type] & SearchSort) | SearchPairs,
  options?: ReadOptions,
) => Outcome<Result>;

/** Shows entries as they are read: without versions, and as the host reads them, if it does. */
const showEntries =
  (type: DirectorySearchType): ShowMatches =>
  async (matches, options) => {
    const openReferenced = hostReader(options);
    if (openReferenced === undefined)
      return E.right(matches.map(({ id, resource }) => ({ id, resource, version: null })));
    // The search is authorized already.
    const { authorize: _, ...limit } = options;
    const targets = matches.map(({ id }) => ({ type, id }));
    const read = await readTargets(targets, () => limit, openReferenced);
    if (E.isLeft(read)) return read;
    return E.right(read.right.map(({ id, json }) => ({ id, resource: json, version: null })));
  };

/** Creates the searches of entries, with a bundle as JSON text. A limit to charts is only one for patients. */
export const createSearchEntries = (environment: Environment): SearchEntries<string> => {
  const searchOf = (type: DirectorySearchType) =>
    createJsonReads(environment, { facts: directoryFacts[type], show: showEntries(type) }).search;
  const searches = {
    Patient: searchOf('Patient'),
    Practitioner: searchOf('Practitioner'),
    Organization: searchOf('Organization'),
  };
  return async (type, parameters, options = {}) => {
    if (type === 'Patient') return searches[type](parameters, options);
    const reach = openReach(options);
    if (E.isLeft(reach)) return reach;
    const { within: _within, authorize: _authorize, ...rest } = options;
    return searches[type](parameters, rest);
  };
};

/** The same searches, with a bundle. */
export const createTypedSearch =
  (searchEntries: SearchEntries<string>) =>
  async <Type extends DirectorySearchType>(
    type: Type,
    parameters: (DirectorySearch[Type] & SearchSort) | SearchPairs,
    options?: ReadOptions,
  ): Outcome<Bundle<DirectoryResource[Type]>> => {
    const pairs = requireWholeMatches(parameters);
    if (E.isLeft(pairs)) return pairs;
    const bundle = await searchEntries(type, pairs.right, options);
    return E.map(parseMatches<DirectoryResource[Type]>)(bundle);
  };
