import {
  type ChartLimit,
  type ClinicalError,
  ClinicalRecordsError,
  isId,
  isWithinLimit,
  notFound,
  otherChartError,
  readOwners,
} from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import { checkHostSearches, type HostSearch } from './host-search.ts';

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
  /** The searches of the types, such as of patients by name. A type without one is only read. */
  readonly searches?: Readonly<Record<string, HostSearch>> | undefined;
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

/** Throws if plain JavaScript got the option wrong, or if a type is served here already. */
export const checkHostResources = (
  { types, read, searches = {} }: HostResources,
  servedTypes: readonly string[],
): void => {
  if (typeof read !== 'function') throw new TypeError('hostResources.read must be a function.');
  if (!Array.isArray(types) || types.some((type) => !/^[A-Z][A-Za-z]*$/.test(type))) {
    throw new TypeError('hostResources.types must be an array of types such as Patient.');
  }
  if (new Set([...servedTypes, ...types]).size < servedTypes.length + types.length) {
    throw new Error('hostResources.types must have each type once, and none that is served here.');
  }
  checkHostSearches(searches, types);
};

/** The patients to whose charts a resource belongs. Empty if there is any other owner, or none: it can then be of any chart. */
export const patientIdsOf = (resource: HostResource): readonly string[] => {
  const { patientIds, hasOthers } = readOwners(resource);
  return hasOthers ? [] : patientIds;
};

/** Calls a function of the host, which may use reads of the library, and throw their errors. Null means a `NotFound`. */
export const askHost = async <A>(
  ask: () => Promise<A | null | undefined> | A | null | undefined,
): Promise<E.Either<ClinicalError, A | null>> => {
  try {
    return E.right((await ask()) ?? null);
  } catch (cause) {
    const tag = cause instanceof ClinicalRecordsError ? cause.tag : null;
    if (tag === 'NotFound') return E.right(null);
    if (tag === 'StoreFailure') return E.left((cause as ClinicalRecordsError).error);
    throw cause;
  }
};

/** Reads a resource of the host as JSON text. Rejects if the host fails, or returns another resource. */
export const readHostResource = async (
  host: HostResources,
  { type, id }: { readonly type: string; readonly id: string },
  { within, authorize }: ChartLimit,
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
  if (!isWithinLimit(limit, patientIds)) return missing;
  if (authorize === undefined) return shown;
  return isWithinLimit(await authorize({ id, patientIds }), patientIds) ? shown : missing;
};
