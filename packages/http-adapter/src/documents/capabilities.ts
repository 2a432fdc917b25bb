import type {
  InterfaceDescription,
  ParameterDescription,
  ResourceDescription,
  ServedType,
} from '@clinical-records/core/adapter';
import packageJson from '../../package.json' with { type: 'json' };
import { isConditionalCreate, isResourceRoute, type ResourceRoute, type Route } from '../routes/route.ts';
import { directoryDescriptionOf } from './parameters.ts';

/** The interactions, profiles and searches of a type of resource, as FHIR's `CapabilityStatement.rest.resource`. */
export type ResourceCapabilities = {
  /** The type, such as `Patient`. */
  readonly type: string;
  /** Any other element, such as `interaction`. */
  readonly [element: string]: unknown;
};

/** The host's additions to the capability statement of the interface. */
export type HostCapabilities = {
  /**
   * The resources that the host serves under the same base URL. For a type that can also be read here, the two descriptions
   * are merged.
   */
  readonly resource?: readonly ResourceCapabilities[];
  /** An element of FHIR's CapabilityStatement, such as `publisher` or `instantiates`. */
  readonly [element: string]: unknown;
};

/**
 * How clients get a token, as `/.well-known/smart-configuration` says it. Any other element is published, too. Source:
 * SMART App Launch 2.2, "Conformance".
 */
export type SmartConfiguration = {
  /** The URL where a user grants access. */
  readonly authorization_endpoint?: string;
  /** The URL where a client gets its token. */
  readonly token_endpoint: string;
  /** The capabilities of the authorization server, such as `launch-standalone`. */
  readonly capabilities: readonly string[];
  /** Any other element, such as `issuer`. */
  readonly [element: string]: unknown;
};

/** Throws if the host describes a type of the interface itself, or one twice. FHIR R4, CapabilityStatement, cpb-9. */
export const checkHostCapabilities = (
  { resource = [] }: HostCapabilities,
  servedTypes: readonly string[],
): void => {
  const types = [...servedTypes, ...resource.map(({ type }) => type)];
  if (new Set(types).size < types.length) {
    throw new Error('capabilities.resource must describe each type once, and none of the interface itself.');
  }
};

/** The codes of FHIR's TypeRestfulInteraction. */
const interactionCodes = {
  read: 'read',
  vread: 'vread',
  history: 'history-instance',
  search: 'search-type',
  create: 'create',
  update: 'update',
} as const satisfies Record<Exclude<ResourceRoute['interaction'], 'operation'>, string>;

/** The interactions of some routes, each once. An operation is not one of them. */
const interactionsOf = (routes: readonly ResourceRoute[]): readonly { readonly code: string }[] =>
  [
    ...new Set(
      routes.flatMap(({ interaction }) =>
        interaction === 'operation' ? [] : [interactionCodes[interaction]],
      ),
    ),
  ].map((code) => ({ code }));

/** The search parameters as FHIR lists them, without those that only select a page. */
const searchParamsOf = (parameters: readonly ParameterDescription[]) =>
  parameters.flatMap(({ name, searchType, description }) =>
    searchType === null ? [] : [{ name, type: searchType, documentation: description }],
  );

/** FHIR has no element for the extensions of a server. The text is Markdown. */
const documentExtensions = (extensions: NonNullable<ResourceDescription['extensions']>): string =>
  ['Extensions:', ...extensions.map(({ url, on, value }) => `- \`${url}\` on \`${on}\`: ${value}`)].join(
    '\n',
  );

const resourceCapabilitiesOf = (
  type: ServedType,
  routes: readonly ResourceRoute[],
  { parameters, profile, includes, revIncludes, extensions }: ResourceDescription,
) => ({
  type,
  supportedProfile: [profile],
  ...(extensions && { documentation: documentExtensions(extensions) }),
  interaction: interactionsOf(routes),
  versioning: 'versioned',
  readHistory: routes.some(({ interaction }) => interaction === 'vread'),
  updateCreate: false,
  conditionalCreate: routes.some(isConditionalCreate),
  conditionalRead: 'not-match',
  conditionalUpdate: false,
  conditionalDelete: 'not-supported',
  referencePolicy: ['literal'],
  ...(routes.some(({ isValidation }) => isValidation) && { operation: [validate] }),
  // FHIR does not allow empty arrays.
  ...(includes.length > 0 && { searchInclude: includes }),
  ...(revIncludes.length > 0 && { searchRevInclude: revIncludes }),
  searchParam: searchParamsOf(parameters),
});

/** Source: FHIR R4, Resource, "$validate". */
const validate = {
  name: 'validate',
  definition: 'http://hl7.org/fhir/OperationDefinition/Resource-validate',
};

type ServedInteraction = { readonly code: string };

/** Source: FHIR R4, Patient, "$everything". */
const everything = {
  name: 'everything',
  definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
};

const bulkData = 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition';

/** Source: FHIR Bulk Data Access 2.0.0. */
const systemExport = { name: 'export', definition: `${bulkData}/export` };
const patientExport = { name: 'export', definition: `${bulkData}/patient-export` };
const groupExport = { name: 'export', definition: `${bulkData}/group-export` };
const bulkDataServer = 'http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data';

type ServedOperations = {
  readonly hasBulkExport: boolean;
  readonly hasGroupExport: boolean;
  readonly description: InterfaceDescription;
};

const arrayOf = (element: unknown): readonly unknown[] => (Array.isArray(element) ? element : []);

/** The capabilities for a type that is only read and searched here, with what the host adds. */
const withServed = (
  type: string,
  routes: readonly ResourceRoute[],
  {
    byHost = { type },
    hasBulkExport,
    hasGroupExport,
    description,
  }: ServedOperations & { readonly byHost: ResourceCapabilities | undefined },
): ResourceCapabilities => {
  const interactions = interactionsOf(routes);
  const [search] = routes.flatMap(({ interaction, parameters }) =>
    interaction === 'search'
      ? [parameters ?? directoryDescriptionOf(description, type)?.parameters ?? []]
      : [],
  );
  const operations = [
    ...(routes.some(({ interaction }) => interaction === 'operation')
      ? [everything, ...(hasBulkExport ? [patientExport] : [])]
      : []),
    ...(hasGroupExport && type === 'Group' ? [groupExport] : []),
  ];
  const isServed = (interaction: unknown) =>
    interactions.some(({ code }) => code === (interaction as ServedInteraction).code);
  const allInteractions = [
    ...interactions,
    ...arrayOf(byHost.interaction).filter((interaction) => !isServed(interaction)),
  ];
  const profile = directoryDescriptionOf(description, type)?.profile;
  return {
    ...byHost,
    ...(profile !== undefined && { supportedProfile: [profile, ...arrayOf(byHost.supportedProfile)] }),
    ...(allInteractions.length > 0 && { interaction: allInteractions }),
    ...(operations.length > 0 && { operation: [...operations, ...arrayOf(byHost.operation)] }),
    ...(search !== undefined && {
      searchParam: [...searchParamsOf(search), ...arrayOf(byHost.searchParam)],
    }),
  };
};

/** The capabilities for the types that are read here. The types that only the host describes follow. */
const referencedCapabilities = (
  types: ReadonlyMap<string, readonly ResourceRoute[]>,
  byHost: readonly ResourceCapabilities[],
  operations: ServedOperations,
): readonly ResourceCapabilities[] => {
  const ofHost = new Map(byHost.map((resource) => [resource.type, resource]));
  return [
    ...Array.from(types, ([type, routes]) =>
      withServed(type, routes, { ...operations, byHost: ofHost.get(type) }),
    ),
    ...byHost.filter(({ type }) => !types.has(type)),
  ];
};

const serviceSystem = 'http://terminology.hl7.org/CodeSystem/restful-security-service';

const oauthUris = 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris';

const uriExtension = (url: string, valueUri: string | undefined) =>
  valueUri === undefined ? [] : [{ url, valueUri }];

/** The elements of a capability statement's `security` that say the same, for clients of SMART 1. */
const smartCapabilitiesOf = (configuration: SmartConfiguration | undefined) =>
  configuration === undefined
    ? {}
    : {
        extension: [
          {
            url: oauthUris,
            extension: [
              ...uriExtension('authorize', configuration.authorization_endpoint),
              ...uriExtension('token', configuration.token_endpoint),
            ],
          },
        ],
        service: [{ coding: [{ system: serviceSystem, code: 'SMART-on-FHIR', display: 'SMART-on-FHIR' }] }],
      };

export type CapabilitySources = {
  readonly routes: readonly Route[];
  readonly description: InterfaceDescription;
  readonly baseUrl: string | undefined;
  /** Whether pages of other origins may use the interface. */
  readonly hasCors: boolean;
  /** Whether `$export` is served. */
  readonly hasBulkExport: boolean;
  /** Whether it is served for groups, too. */
  readonly hasGroupExport: boolean;
  readonly smartConfiguration: SmartConfiguration | undefined;
  readonly capabilities: HostCapabilities;
  /** When the server began to publish it. */
  readonly date: Date;
};

/**
 * Describes the interface as FHIR does, from the table of routes and the tables of search parameters, with what the host
 * serves beside it. Source: FHIR R4, CapabilityStatement.
 */
export const createCapabilityStatement = ({
  routes,
  description,
  baseUrl,
  hasCors,
  hasBulkExport,
  hasGroupExport,
  smartConfiguration,
  capabilities: { resource: byHost = [], resourceType: _, ...hostElements },
  date,
}: CapabilitySources): Readonly<Record<string, unknown>> => {
  const routesByType = Map.groupBy(routes.filter(isResourceRoute), ({ type }) => type);
  const isDescribed = (type: string): type is ServedType => Object.hasOwn(description.resources, type);
  const types = [...routesByType.keys()];
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: date.toISOString(),
    software: { name: packageJson.name, version: packageJson.version },
    implementation: {
      description: "A patient's chart: care teams, goals, orders and immunizations.",
      ...(baseUrl !== undefined && { url: baseUrl }),
    },
    ...hostElements,
    ...(hasBulkExport && { instantiates: [...arrayOf(hostElements.instantiates), bulkDataServer] }),
    kind: 'instance',
    fhirVersion: '4.0.1',
    format: ['json'],
    rest: [
      {
        mode: 'server',
        security: {
          cors: hasCors,
          ...smartCapabilitiesOf(smartConfiguration),
          description: 'Each request needs a bearer token with SMART scopes, or a session of the host.',
        },
        resource: [
          ...types
            .filter(isDescribed)
            .map((type) =>
              resourceCapabilitiesOf(type, routesByType.get(type) ?? [], description.resources[type]),
            ),
          ...referencedCapabilities(
            new Map<string, readonly ResourceRoute[]>([
              ...(hasGroupExport ? [['Group', []] as const] : []),
              ...[...routesByType].filter(([type]) => !isDescribed(type)),
            ]),
            byHost,
            { hasBulkExport, hasGroupExport, description },
          ),
        ],
        ...(hasBulkExport && { operation: [systemExport] }),
      },
    ],
  };
};
