import type { Route } from '../routes.ts';
import type { ResourceCapabilities } from './host-capabilities.ts';
import { interactionsOf, searchParamsOf } from './resource-capabilities.ts';

type ServedInteraction = { readonly code: string };

/** Source: FHIR R4, Patient, "$everything". */
const everything = {
  name: 'everything',
  definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
};

const bulkData = 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition';

/** Source: FHIR Bulk Data Access 2.0.0. */
export const systemExport = { name: 'export', definition: `${bulkData}/export` };
const patientExport = { name: 'export', definition: `${bulkData}/patient-export` };

type ServedOperations = { readonly hasBulkExport: boolean };

const arrayOf = (element: unknown): readonly unknown[] => (Array.isArray(element) ? element : []);

/** The capabilities for a type that is only read and searched here, with what the host adds. */
const withServed = (
  type: string,
  routes: readonly Route[],
  {
    byHost = { type },
    hasBulkExport,
  }: ServedOperations & { readonly byHost: ResourceCapabilities | undefined },
): ResourceCapabilities => {
  const interactions = interactionsOf(routes);
  const [search] = routes.flatMap(({ interaction, parameters = [] }) =>
    interaction === 'search' ? [parameters] : [],
  );
  const operations = routes.some(({ interaction }) => interaction === 'operation')
    ? [everything, ...(hasBulkExport ? [patientExport] : [])]
    : [];
  const isServed = (interaction: unknown) =>
    interactions.some(({ code }) => code === (interaction as ServedInteraction).code);
  return {
    ...byHost,
    interaction: [...interactions, ...arrayOf(byHost.interaction).filter((one) => !isServed(one))],
    ...(operations.length > 0 && { operation: [...operations, ...arrayOf(byHost.operation)] }),
    ...(search !== undefined && {
      searchParam: [...searchParamsOf(search), ...arrayOf(byHost.searchParam)],
    }),
  };
};

/** The capabilities for the types that are read here. The types that only the host describes follow. */
export const referencedCapabilities = (
  types: ReadonlyMap<string, readonly Route[]>,
  byHost: readonly ResourceCapabilities[],
  operations: ServedOperations,
): readonly ResourceCapabilities[] => {
  const ofHost = new Map(byHost.map((one) => [one.type, one]));
  return [
    ...[...types].map(([type, routes]) =>
      withServed(type, routes, { ...operations, byHost: ofHost.get(type) }),
    ),
    ...byHost.filter(({ type }) => !types.has(type)),
  ];
};
