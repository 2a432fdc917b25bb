import type { ResourceDescription, ResourceType } from '@clinical-records/core';
import type { Route } from '../routes.ts';
import type { Interaction } from '../scopes.ts';

/** The codes of FHIR's TypeRestfulInteraction. */
const interactionCodes = {
  read: 'read',
  vread: 'vread',
  history: 'history-instance',
  search: 'search-type',
  create: 'create',
  update: 'update',
} as const satisfies Record<Interaction, string>;

/** The capabilities for one type of resource. */
export const resourceCapabilitiesOf = (
  type: ResourceType,
  routes: readonly Route[],
  { parameters, profile, includes }: ResourceDescription,
) => ({
  type,
  supportedProfile: [profile],
  interaction: [...new Set(routes.map(({ interaction }) => interactionCodes[interaction]))].map((code) => ({
    code,
  })),
  versioning: 'versioned',
  readHistory: true,
  updateCreate: false,
  conditionalCreate: false,
  conditionalRead: 'not-match',
  conditionalUpdate: false,
  conditionalDelete: 'not-supported',
  referencePolicy: ['literal'],
  searchInclude: includes,
  searchParam: parameters.flatMap(({ name, searchType, description }) =>
    searchType === null ? [] : [{ name, type: searchType, documentation: description }],
  ),
});
