import type { ChartLimit, ReadOptions } from '@clinical-records/core';
import {
  isId,
  isWithinLimit,
  type ParameterDescription,
  type PreferredHandling,
  parseHostSearch,
  parsePatientId,
  renderHostSearch,
  returnedResourcesIn,
  type SearchPairs,
} from '@clinical-records/core/adapter';
import type { Outcome } from '@clinical-records/core/fp-ts';
import { askAuthorize } from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import {
  askHost,
  type HostResource,
  type HostResources,
  type HostSearch,
  isSharedType,
  patientIdsOf,
  readErrors,
} from './host-resources.ts';

const searchErrors = [...readErrors, 'InvalidRequest', 'Forbidden', 'TooCostly'] as const;

type Limit = Pick<ChartLimit, 'within'>;

/** The patients of a limit; undefined if there is none. An undefined `within` reaches nobody. */
const patientIdsIn = (limit: Limit): readonly string[] | undefined =>
  'within' in limit ? [limit.within ?? []].flat() : undefined;

/**
 * The patients whose resources a search of the host may find: those to whom the scopes are limited, as far as `authorize` allows
 * them; undefined for all. Types such as Practitioner belong to no patient.
 */
const patientsInReach = async (type: string, limit: ChartLimit): Promise<readonly string[] | undefined> => {
  if (isSharedType(type)) return undefined;
  const byScope = patientIdsIn(limit);
  if (limit.authorize === undefined || byScope?.length === 0) return byScope;
  const asked = { id: null, patientIds: byScope ?? [], labels: {} };
  const authorized = patientIdsIn(await askAuthorize(limit.authorize, asked));
  return authorized === undefined ? byScope : authorized.filter((id) => byScope?.includes(id) ?? true);
};

/** Whether a parameter of a search for a type names patients. */
const namesPatients = (type: string, name: string): boolean =>
  (type === 'Patient' ? ['_id'] : ['patient', 'subject']).includes(name);

/**
 * The patients whom a search of the host names, as far as it may find them. If it names none, this is the patient to whom it is
 * limited. Source: docs/decisions.md#audit.
 */
const searchedPatientIds = (
  type: string,
  conditions: readonly (readonly [name: string, value: string])[],
  within: readonly string[] | undefined,
): readonly string[] => {
  const named = conditions
    .filter(([name]) => namesPatients(type, name))
    .flatMap(([, value]) => value.split(','))
    .flatMap((reference) => parsePatientId(reference) ?? []);
  if (named.length > 0) return named.filter((id) => within?.includes(id) ?? true);
  return within?.length === 1 ? within : [];
};

/** When a resource was last changed, in milliseconds since 1970; null if it does not say. */
const lastUpdatedOf = (resource: HostResource & { readonly meta?: unknown }): number | null => {
  const { lastUpdated } = { lastUpdated: undefined, ...(resource.meta as object | undefined) };
  const at = typeof lastUpdated === 'string' ? Date.parse(lastUpdated) : Number.NaN;
  return Number.isNaN(at) ? null : at;
};

/** A resource of the host as text. Throws if the host returned another one than it may: of another type, or another chart. */
const toMatch = (type: string, resource: HostResource, within: readonly string[] | undefined) => {
  const { resourceType, id = '' } = resource;
  const patientIds = patientIdsOf(resource);
  const isReachable = within === undefined || isWithinLimit({ within }, patientIds);
  if (resourceType !== type || !isId(id) || !isReachable) {
    throw new Error(`hostResources.searches.${type}.find() returned a resource that does not match.`);
  }
  return { id, patientIds, lastUpdated: lastUpdatedOf(resource), json: JSON.stringify(resource) };
};

/** A resource that a search of the host has found. */
export type HostMatch = ReturnType<typeof toMatch>;

/** A page of the matches that a sender may see. */
type FoundPage = {
  readonly total: number;
  readonly matches: readonly HostMatch[];
  /** The patients to whose charts the search was limited; undefined if it was not. */
  readonly within: readonly string[] | undefined;
};

/** Asks the host for the matches of some conditions after `offset` others, as far as the limit of the sender reaches. */
export const findPage = async (
  type: string,
  { find }: HostSearch,
  {
    conditions,
    ...page
  }: {
    readonly conditions: Parameters<HostSearch['find']>[0];
    readonly count: number;
    readonly offset: number;
  },
  limit: ChartLimit,
): Outcome<FoundPage> => {
  const within = await patientsInReach(type, limit);
  const answer = await askHost(
    () => (within?.length === 0 ? null : find(conditions, { ...page, within })),
    searchErrors,
  );
  if (E.isLeft(answer)) return answer;
  const { total, resources } = answer.right ?? { total: 0, resources: [] };
  return E.right({ total, matches: resources.map((resource) => toMatch(type, resource, within)), within });
};

/** A request for a search of the host: its parameters, and the limit of its sender. */
export type HostSearchInput = {
  readonly parameters: SearchPairs;
  readonly handling: PreferredHandling | undefined;
  readonly access: ChartLimit & Pick<ReadOptions, 'onReturn'>;
  readonly bundle: Pick<ReadOptions, 'baseUrl' | 'links'>;
};

/** Creates the function that runs a search of the host; its second argument is the way from the path to the base URL. */
const createRunSearch =
  (type: string, search: HostSearch) =>
  async ({ parameters, handling, access, bundle }: HostSearchInput, base: string): Outcome<string> => {
    const names = search.parameters.map(({ name }) => name);
    const parsed = parseHostSearch(parameters, names, handling);
    if (E.isLeft(parsed)) return parsed;
    const { used: conditions, paging } = parsed.right;
    const { count, offset } = paging;
    const found = await findPage(type, search, { conditions, count, offset }, access);
    if (E.isLeft(found)) return found;
    const { total, matches, within } = found.right;
    access.onReturn?.({
      resources: matches.flatMap(({ json }) => returnedResourcesIn(json)),
      searchedPatientIds: searchedPatientIds(type, conditions, within),
    });
    return E.right(renderHostSearch(type, parsed.right, { total, matches }, { ...bundle, base }));
  };

const pageParameters = [
  { name: '_count', description: 'The most resources of a page: at most 100.' },
  { name: '_offset', description: 'How many matches are before the page.' },
].map((parameter) => ({ ...parameter, schema: { type: 'integer', minimum: 0 }, searchType: null }));

const describeParameters = ({ parameters }: HostSearch): readonly ParameterDescription[] => [
  ...parameters.map(({ name, type, documentation }) => ({
    name,
    description: documentation,
    schema: { type: 'string', minLength: 1 },
    searchType: type,
  })),
  ...pageParameters,
];

/** Whether the directory finds the resources of a type, also if the host shows them. */
export const isSearchedInDirectory = ({ types, searches = {} }: HostResources, type: string): boolean =>
  !types.includes(type) || (Object.hasOwn(searches, type) && searches[type] === 'directory');

/** The searches that the host runs by itself. */
export const searchesOf = ({ searches = {} }: HostResources): readonly (readonly [string, HostSearch])[] =>
  Object.entries(searches).flatMap(([type, search]) => (search === 'directory' ? [] : [[type, search]]));

/** The searches of the host, each with its parameters and the function that runs it. */
export const createHostSearches = (host: HostResources) =>
  searchesOf(host).map(([type, search]) => ({
    type,
    parameters: describeParameters(search),
    run: createRunSearch(type, search),
  }));
