import type { AuditLog, ClinicalRecords, ReadOptions } from '@clinical-records/core';
import {
  type DirectoryDescription,
  directorySearchTypes,
  type EverythingOptions,
  type JsonReads,
  type ParameterDescription,
  type ServedResource,
} from '@clinical-records/core/adapter';
import { type Eithers, type Outcome, toEithers } from '@clinical-records/core/fp-ts';
import { createHostCharts } from '../host/host-charts.ts';
import { type HostResources, noHostResources } from '../host/host-resources.ts';
import { createHostSearches, isSearchedInDirectory } from '../host/host-searches.ts';
import { createReadReferenced, type ReferencedResources } from '../host/references.ts';
import type { Route, RouteRequest, RouteResult, ServedRecords, WrittenRecords } from './route.ts';
import { createWriteRoutes, type Write } from './write.ts';

/** The reads of a type of resource as JSON texts, and its writes if it has any. */
export type JsonService<Records extends WrittenRecords | ClinicalRecords> =
  Records['serviceRequests']['asJson'] &
    Partial<
      Pick<Records['immunizations']['asJson'], 'create' | 'update'> &
        Pick<Records['careTeams']['asJson'], 'setParticipantStatus'>
    >;

/** The service of a type of resource that the records have. */
export const jsonServiceOf = <Records extends WrittenRecords | ClinicalRecords>(
  records: Records,
  { name }: ServedResource,
): JsonService<Records> =>
  (records as unknown as Readonly<Record<string, { readonly asJson: JsonService<Records> }>>)[name]
    ?.asJson as JsonService<Records>;

/** The records with functions that return their errors, as the routes call them. */
export const toServedRecords = (records: ClinicalRecords): ServedRecords =>
  Object.assign(toEithers(records), { dryRun: records.dryRun });

/** The types of the resources that the records serve. */
export const servedTypesOf = ({ resources }: Pick<ClinicalRecords, 'resources'>): readonly string[] => [
  ...resources.map(({ type }) => type),
  'Provenance',
];

/**
 * The records as they are served. The host may serve a type of the directory, or one that they only import, in their place. So
 * a host that serves its conditions goes on to do so once the records have conditions, too.
 */
export const withoutHostTypes = (
  records: ClinicalRecords,
  hostResources: HostResources = noHostResources,
): ClinicalRecords => {
  const { types: hostTypes } = hostResources;
  if (hostTypes.length === 0) return records;
  const resources = records.resources.filter(
    ({ type, isOnlyImported }) => !(isOnlyImported && hostTypes.includes(type)),
  );
  const types = servedTypesOf({ resources });
  const select = <Described extends object>(described: Described, isServed: (type: string) => boolean) =>
    Object.fromEntries(Object.entries(described).filter(([type]) => isServed(type))) as Described;
  /** The host knows the profiles of the resources that it shows. */
  const withoutProfile = (description: DirectoryDescription, type: string): DirectoryDescription =>
    hostTypes.includes(type) ? { parameters: description.parameters } : description;
  return {
    ...records,
    resources,
    describe: () => {
      const { directory, ...description } = records.describe();
      return {
        ...description,
        resources: select(description.resources, (type) => types.includes(type)),
        directory: Object.fromEntries(
          Object.entries(directory)
            .filter(([type]) => isSearchedInDirectory(hostResources, type))
            .map(([type, described]) => [type, withoutProfile(described, type)]),
        ) as typeof directory,
      };
    },
  };
};

const createReadRoute = (type: string, run: Route['run']): Route => ({
  type,
  level: 'instance',
  method: 'GET',
  interaction: 'read',
  bodyFormat: 'nothing',
  errorTags: ['NotFound'],
  run,
});

/** The two requests of a search: with a query string, and with a form. */
const createSearchRoutes = (
  described: Pick<Route, 'type' | 'parameters'>,
  search: (request: RouteRequest, base: string) => Outcome<RouteResult>,
): readonly Route[] => {
  const at = (base: string) =>
    ({
      ...described,
      interaction: 'search',
      errorTags: ['InvalidRequest', 'TooCostly'],
      run: (request: RouteRequest) => search(request, base),
    }) as const;
  return [
    { ...at(''), level: 'type', method: 'GET', bodyFormat: 'nothing' },
    { ...at('../'), level: 'search', method: 'POST', bodyFormat: 'form' },
  ];
};

/** Reads and searches. Every described type has them. */
const createCurrentRoutes = (
  type: string,
  read: Route['run'],
  { search, readReferenced }: Pick<Eithers<JsonReads>, 'search'> & Pick<ReadOptions, 'readReferenced'>,
): readonly Route[] => [
  createReadRoute(type, read),
  ...createSearchRoutes({ type }, (request, base) =>
    search(request.parameters, { ...request.bundle, base, readReferenced }),
  ),
];

/** The searches of people and organizations in the directory. The host shows those of the types that it serves. */
const createDirectorySearchRoutes = (
  { asJson: { search } }: ServedRecords['directory'],
  hostResources: HostResources,
  readReferenced: NonNullable<ReadOptions['readReferenced']>,
): readonly Route[] =>
  directorySearchTypes
    .filter((type) => isSearchedInDirectory(hostResources, type))
    .flatMap((type) => {
      const shown = hostResources.types.includes(type) ? { readReferenced } : {};
      return createSearchRoutes({ type }, (request, base) =>
        search(type, request.parameters, { ...request.bundle, ...shown, base }),
      );
    });

const createReadRoutes = (
  type: string,
  reads: Eithers<JsonReads>,
  readReferenced: ReadOptions['readReferenced'],
): readonly Route[] => {
  const { read, search, readVersion, historyBundle } = reads;
  return [
    ...createCurrentRoutes(type, ({ id, access }) => read(id, access), { search, readReferenced }),
    {
      type,
      level: 'chart',
      method: 'GET',
      interaction: 'search',
      bodyFormat: 'nothing',
      errorTags: ['InvalidRequest', 'TooCostly'],
      run: (request) => {
        const parameters = [['patient', `Patient/${request.id}`] as const, ...request.parameters];
        return search(parameters, { ...request.bundle, base: '../../', readReferenced });
      },
    },
    {
      type,
      level: 'history',
      method: 'GET',
      interaction: 'history',
      bodyFormat: 'nothing',
      errorTags: ['InvalidRequest', 'NotFound'],
      run: (request) => historyBundle(request.id, request.parameters, { ...request.bundle, base: '../../' }),
    },
    {
      type,
      level: 'version',
      method: 'GET',
      interaction: 'vread',
      bodyFormat: 'nothing',
      errorTags: ['NotFound'],
      run: ({ id, version, access }) => readVersion(id, version, access),
    },
  ];
};

/** The writes of a type by the bodies of requests. */
const writesOf = (resource: ServedResource): readonly Write[] => {
  const { type, writes } = resource;
  const ofType = (records: WrittenRecords) =>
    jsonServiceOf(records, resource) as Required<JsonService<WrittenRecords>>;
  const shared = { type, bodyFormat: 'json' } as const;
  return [
    ...(writes.create === undefined
      ? []
      : [
          {
            ...shared,
            level: 'type',
            method: 'POST',
            interaction: 'create',
            createCondition: 'If-None-Exist',
            errorTags: writes.create,
            run: (records, { body, write, handling, idempotencyKey }) =>
              ofType(records).create(body, { ...write, handling, idempotencyKey }),
          } satisfies Write,
        ]),
    ...(writes.update === undefined
      ? []
      : [
          {
            ...shared,
            level: 'instance',
            method: 'PUT',
            interaction: 'update',
            errorTags: writes.update,
            run: (records, { id, body, write, handling }) =>
              ofType(records).update(id, body, { ...write, handling }),
          } satisfies Write,
        ]),
  ];
};

/** Every endpoint of the interface, without those that a host turns on. */
export const createRoutes = (
  records: ServedRecords,
  referenced: ReferencedResources,
  hostResources: HostResources = noHostResources,
): readonly Route[] => {
  const { resources, provenance, exporter, directory } = records;
  const readReferenced = createReadReferenced(referenced);
  return [
    ...resources.flatMap((resource) => {
      const service = jsonServiceOf(records, resource);
      return [
        ...createReadRoutes(resource.type, service, readReferenced),
        ...writesOf(resource).flatMap((write) =>
          createWriteRoutes(records, { ...write, readWritten: service.read }),
        ),
      ];
    }),
    ...createCurrentRoutes('Provenance', (request) => provenance.asJson.read(request.id, request.bundle), {
      search: provenance.asJson.search,
    }),
    ...Array.from(referenced, ([type, read]) => createReadRoute(type, ({ id, access }) => read(id, access))),
    ...createDirectorySearchRoutes(directory, hostResources, readReferenced),
    createEverythingRoute(exporter, { readReferenced, hostCharts: createHostCharts(hostResources) }),
    ...createHostSearches(hostResources).flatMap(({ run, ...described }) =>
      createSearchRoutes(described, run),
    ),
  ];
};

const nonEmptyTextSchema = { type: 'string', minLength: 1 } as const;
const countSchema = { type: 'integer', minimum: 0 } as const;

const everythingParameters: readonly ParameterDescription[] = [
  { name: '_type', description: 'Types of resources, with commas between them.', schema: nonEmptyTextSchema },
  {
    name: '_since',
    description: 'Only resources of the chart that were written then or later.',
    schema: nonEmptyTextSchema,
  },
  {
    name: '_count',
    description:
      'The most resources of a page: at most 100, and fewer if they are large. Without it, as many as fit into 1 MiB.',
    schema: countSchema,
  },
  { name: '_offset', description: 'How many resources are before the page.', schema: countSchema },
].map((parameter) => ({ ...parameter, searchType: null }));

/** Reads a whole chart. Source: FHIR R4, Patient, "$everything", and docs/http-interface.md#everything. */
const createEverythingRoute = (
  { everything }: ServedRecords['exporter'],
  host: Pick<EverythingOptions, 'readReferenced' | 'hostCharts'>,
): Route => ({
  type: 'Patient',
  level: 'everything',
  method: 'GET',
  interaction: 'operation',
  bodyFormat: 'nothing',
  errorTags: ['InvalidRequest', 'NotFound', 'TooCostly'],
  parameters: everythingParameters,
  run: (request) =>
    everything(request.id, request.parameters, { ...request.bundle, ...host, base: '../../' }),
});

/** The search in the audit log. Source: docs/audit.md#over-http. */
export const createAuditRoute = (auditLog: AuditLog): Route => {
  const { searchBundle } = toEithers(auditLog);
  return {
    type: 'AuditEvent',
    level: 'type',
    method: 'GET',
    interaction: 'search',
    bodyFormat: 'nothing',
    errorTags: ['InvalidRequest'],
    parameters: auditLog.parameters(),
    run: (request) => searchBundle(request.parameters, request.bundle),
  };
};
