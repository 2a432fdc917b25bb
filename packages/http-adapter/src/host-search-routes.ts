import {
  isId,
  isWithinLimit,
  type ParameterDescription,
  parseHostSearch,
  renderHostSearch,
  returnedResourcesIn,
} from '@clinical-records/core';
import type { Outcome } from '@clinical-records/core/fp-ts';
import * as E from 'fp-ts/lib/Either.js';
import { askHost, type HostResource, type HostResources, patientIdsOf } from './host-resources.ts';
import type { HostSearch } from './host-search.ts';
import { patientsInReach, searchedPatientIds } from './host-search-limit.ts';
import type { Route, RouteRequest } from './routes.ts';

/** A resource of the host as text. Throws if the host returned another one than it may: of another type, or another chart. */
const toMatch = (type: string, resource: HostResource, within: readonly string[] | undefined) => {
  const { resourceType, id = '' } = resource;
  const isReachable = within === undefined || isWithinLimit({ within }, patientIdsOf(resource));
  if (resourceType !== type || !isId(id) || !isReachable) {
    throw new Error(`hostResources.searches.${type}.find() returned a resource that does not match.`);
  }
  return { id, json: JSON.stringify(resource) };
};

const runSearch =
  (type: string, { parameters, find }: HostSearch, base: string) =>
  async (request: RouteRequest): Outcome<string> => {
    const names = parameters.map(({ name }) => name);
    const parsed = parseHostSearch(request.parameters, names, request.handling);
    if (E.isLeft(parsed)) return parsed;
    const { used, paging } = parsed.right;
    const within = await patientsInReach(type, request);
    const answer = await askHost(() => (within?.length === 0 ? null : find(used, { ...paging, within })));
    if (E.isLeft(answer)) return answer;
    const { total, resources } = answer.right ?? { total: 0, resources: [] };
    const matches = resources.map((resource) => toMatch(type, resource, within));
    request.onReturn?.({
      resources: matches.flatMap(({ json }) => returnedResourcesIn(json)),
      searchedPatientIds: searchedPatientIds(type, used, within),
    });
    const { baseUrl } = request;
    return E.right(renderHostSearch(type, parsed.right, { total, matches }, { base, baseUrl }));
  };

const pageParameters = [
  { name: '_count', description: 'The most resources of a page: at most 100.' },
  { name: '_offset', description: 'How many matches are before the page.' },
].map((one) => ({ ...one, schema: { type: 'integer', minimum: 0 }, searchType: null }));

const describe = ({ parameters }: HostSearch): readonly ParameterDescription[] => [
  ...parameters.map(({ name, type, documentation }) => ({
    ...{ name, description: documentation, schema: { type: 'string', minLength: 1 }, searchType: type },
  })),
  ...pageParameters,
];

/** The searches of the host, each by its query string and by a form. */
export const createHostSearchRoutes = ({ searches = {} }: HostResources): readonly Route[] =>
  Object.entries(searches).flatMap(([type, search]): readonly Route[] => {
    const common = {
      type,
      interaction: 'search',
      parameters: describe(search),
      errorTags: ['InvalidRequest'],
    } as const;
    return [
      { ...common, level: 'type', method: 'GET', bodyFormat: 'nothing', run: runSearch(type, search, '') },
      { ...common, level: 'search', method: 'POST', bodyFormat: 'form', run: runSearch(type, search, '../') },
    ];
  });
