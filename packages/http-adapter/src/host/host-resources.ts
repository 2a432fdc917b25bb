import { type ChartLimit, type ClinicalError, ClinicalRecordsError } from '@clinical-records/core';
import {
  type AccessHooks,
  type DirectorySearchType,
  directorySearchTypes,
  isId,
  isWithinLimit,
  notFound,
  otherChartError,
  readOwners,
} from '@clinical-records/core/adapter';
import { askAuthorize } from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import { labelsIn } from '../access/authorize.ts';

/** A FHIR resource of the host, with any other elements. */
export type HostResource = {
  /** The type, such as `Patient`. */
  readonly resourceType: string;
  readonly id?: string | undefined;
};

/** Resources of the host that are served under the same base URL, such as the patients to whom charts refer. */
export type HostResources = {
  /**
   * The types that `read` returns, such as `Patient` and `Condition`. A type that the records write is refused. One that they only
   * import is served by the host.
   */
  readonly types: readonly string[];
  /**
   * Returns a resource, or null or undefined if there is none. It is called only for a sender whose scopes allow to read the
   * type. With `within`, that patient's chart is the only one that the sender may read. A resource of another chart is then not
   * shown, nor is one that `authorize` denies. A `NotFound` or a `StoreFailure` of the library that it throws becomes the
   * response. Any other error is a 500, and so is another resource than the one requested.
   */
  readonly read: (
    type: string,
    id: string,
    limit: { readonly within?: string },
  ) => Promise<HostResource | null | undefined> | HostResource | null | undefined;
  /**
   * The searches of the types, such as of patients by name. With `'directory'`, the directory finds its entries of the type, by all
   * parameters that it has, and `read` shows them. A type without a search is only read.
   */
  readonly searches?: Readonly<Record<string, HostSearch | 'directory'>> | undefined;
  /**
   * Calls `onChange` for each change of a resource in the chart of a patient, until the returned function is called. It is called for
   * each stream of events. One of a type without a search by `patient`, or that the sender may not read, is not named.
   */
  readonly follow?:
    | ((
        patientId: string,
        onChange: (changed: { readonly type: string; readonly id: string }) => void,
      ) => () => void)
    | undefined;
};

/** How the host searches one type of its resources. */
export type HostSearch = {
  /** The parameters that `find` understands. Any other parameter is a 400. */
  readonly parameters: readonly HostSearchParameter[];
  /**
   * Returns a page of the resources that meet all conditions: at most `count` of them after the first `offset` ones, always in
   * the same order. Without conditions, all resources of the type match. It is called only for a sender whose scopes allow to
   * search the type. With `within`, only resources of these patients match. An error of the library that it throws becomes the
   * response, such as that of `directory.search`. Any other error is a 500, and so is a resource of another type or chart.
   */
  readonly find: (
    conditions: readonly (readonly [name: string, value: string])[],
    page: {
      readonly count: number;
      readonly offset: number;
      readonly within: readonly string[] | undefined;
    },
  ) => Promise<HostMatches> | HostMatches;
};

/** A search parameter of the host, as `/metadata` lists it. */
export type HostSearchParameter = {
  readonly name: string;
  /** The type of its values in FHIR. */
  readonly type: 'number' | 'date' | 'string' | 'token' | 'reference' | 'quantity' | 'uri';
  /** A sentence about the matches. */
  readonly documentation: string;
};

/** The result of `find` of a `HostSearch`. */
export type HostMatches = {
  /** How many resources match, on this page or not. */
  readonly total: number;
  readonly resources: readonly HostResource[];
};

/** The names of search parameters in FHIR. The result parameters begin with `_`, and only `_id` is a condition. */
const namePattern = /^(_id|[a-z][a-z0-9-]*)$/;

/** Throws if plain JavaScript got a search wrong, or if it is of a type that is not read. */
const checkHostSearches = (
  searches: Readonly<Record<string, HostSearch | 'directory'>>,
  types: readonly string[],
): void => {
  for (const [type, search] of Object.entries(searches)) {
    if (!types.includes(type)) throw new Error(`hostResources.searches.${type} is not one of the types.`);
    if (search === 'directory') {
      if (directorySearchTypes.includes(type as DirectorySearchType)) continue;
      throw new Error(
        `hostResources.searches.${type} cannot be 'directory', which finds only ${directorySearchTypes.join(', ')}.`,
      );
    }
    const { parameters, find } = search;
    if (typeof find !== 'function') {
      throw new TypeError(`hostResources.searches.${type}.find must be a function.`);
    }
    if (!Array.isArray(parameters) || parameters.some(({ name }) => !namePattern.test(name))) {
      throw new TypeError(`hostResources.searches.${type}.parameters must have names such as birthdate.`);
    }
  }
};

/** Throws if plain JavaScript got the option wrong, or if a type is served here already. */
export const checkHostResources = (
  { types, read, searches = {}, follow = () => () => {} }: HostResources,
  servedTypes: readonly string[],
): void => {
  if (typeof read !== 'function') throw new TypeError('hostResources.read must be a function.');
  if (typeof follow !== 'function') throw new TypeError('hostResources.follow must be a function.');
  if (!Array.isArray(types) || types.some((type) => !/^[A-Z][A-Za-z]*$/.test(type))) {
    throw new TypeError('hostResources.types must be an array of types such as Patient.');
  }
  if (new Set([...servedTypes, ...types]).size < servedTypes.length + types.length) {
    throw new Error('hostResources.types must have each type once, and none that is served here.');
  }
  checkHostSearches(searches, types);
};

/** The types whose resources belong to no patient. A scope for such a type reaches all of them. */
const sharedTypes: readonly string[] = [
  'Practitioner',
  'PractitionerRole',
  'Organization',
  'Location',
  'HealthcareService',
  'Endpoint',
  'Medication',
];

/** Whether the resources of a type belong to no patient. */
export const isSharedType = (type: string): boolean => sharedTypes.includes(type);

/** The patients to whose charts a resource belongs. Empty if there is any other owner, or none: it can then be of any chart. */
export const patientIdsOf = (resource: HostResource): readonly string[] => {
  const { patientIds, hasOthers } = readOwners(resource);
  return hasOthers ? [] : patientIds;
};

/** The errors of the library that are the response if a function of the host throws them. */
export const readErrors = ['StoreFailure', 'Misuse'] as const;

/** Calls a function of the host, which may use the library, and throw some of its errors. Null means a `NotFound`. */
export const askHost = async <A>(
  ask: () => Promise<A | null | undefined> | A | null | undefined,
  errors: readonly ClinicalError['_tag'][] = readErrors,
): Promise<E.Either<ClinicalError, A | null>> => {
  try {
    return E.right((await ask()) ?? null);
  } catch (cause) {
    if (!(cause instanceof ClinicalRecordsError)) throw cause;
    if (cause.tag === 'NotFound') return E.right(null);
    if (errors.includes(cause.tag)) return E.left(cause.error);
    throw cause;
  }
};

/** Reads a resource of the host as JSON text. Rejects if the host fails, or returns another resource. */
export const readHostResource = async (
  host: HostResources,
  { type, id }: { readonly type: string; readonly id: string },
  { within, authorize, onDeny = () => {} }: ChartLimit & AccessHooks,
): Promise<E.Either<ClinicalError, string>> => {
  const limit = within === undefined ? {} : { within };
  const limitOfHost = typeof within === 'string' ? { within } : {};
  if (type === 'Patient' && !isWithinLimit(limit, [id])) return E.left(otherChartError);
  const missing = E.left(notFound(type, id));
  if (!isId(id)) return missing;
  const answer = await askHost(() => host.read(type, id, limitOfHost));
  if (E.isLeft(answer)) return answer;
  const resource = answer.right;
  if (resource === null) return missing;
  if (resource.resourceType !== type || resource.id !== id) {
    throw new Error(`hostResources.read() returned another resource than the ${type} that was requested.`);
  }
  const shown = E.right(JSON.stringify(resource));
  if (isSharedType(type)) return shown;
  const patientIds = patientIdsOf(resource);
  const isShown =
    isWithinLimit(limit, patientIds) &&
    (authorize === undefined ||
      isWithinLimit(
        await askAuthorize(authorize, { id, patientIds, labels: labelsIn(resource) }),
        patientIds,
      ));
  if (isShown) return shown;
  for (const patientId of patientIds) onDeny(patientId);
  return missing;
};

/** The resources of a host that serves none. */
export const noHostResources: HostResources = { types: [], read: () => null };
