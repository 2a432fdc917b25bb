import type { ParameterDescription, ResourceDescription, ServedType } from '@clinical-records/core';
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
} as const satisfies Record<Exclude<Interaction, 'operation'>, string>;

/** The interactions of some routes, each once. An operation is not one of them. */
export const interactionsOf = (routes: readonly Route[]): readonly { readonly code: string }[] =>
  [
    ...new Set(
      routes.flatMap(({ interaction }) =>
        interaction === 'operation' ? [] : [interactionCodes[interaction]],
      ),
    ),
  ].map((code) => ({ code }));

/** The search parameters as FHIR lists them, without those that only select a page. */
export const searchParamsOf = (parameters: readonly ParameterDescription[]) =>
  parameters.flatMap(({ name, searchType, description }) =>
    searchType === null ? [] : [{ name, type: searchType, documentation: description }],
  );

/** The capabilities for one type of resource. */
export const resourceCapabilitiesOf = (
  type: ServedType,
  routes: readonly Route[],
  { parameters, profile, includes, revIncludes }: ResourceDescription,
) => ({
  type,
  supportedProfile: [profile],
  interaction: interactionsOf(routes),
  versioning: 'versioned',
  readHistory: routes.some(({ interaction }) => interaction === 'vread'),
  updateCreate: false,
  conditionalCreate: false,
  conditionalRead: 'not-match',
  conditionalUpdate: false,
  conditionalDelete: 'not-supported',
  referencePolicy: ['literal'],
  // FHIR does not allow empty arrays.
  ...(includes.length > 0 && { searchInclude: includes }),
  ...(revIncludes.length > 0 && { searchRevInclude: revIncludes }),
  searchParam: searchParamsOf(parameters),
});
