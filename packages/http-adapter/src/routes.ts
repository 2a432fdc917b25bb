import type {
  AuthorReference,
  ChartLimit,
  ClinicalError,
  IdempotencyOptions,
  JsonReads,
  ParameterDescription,
  Precondition,
  PreferredHandling,
  ReadOptions,
  ResourceType,
  ResourceVersion,
  ServedResource,
  ServedType,
} from '@clinical-records/core';
import type { Eithers, Outcome } from '@clinical-records/core/fp-ts';
import { createEverythingRoute } from './everything-route.ts';
import type { HostResources } from './host-resources.ts';
import { createHostSearchRoutes } from './host-search-routes.ts';
import { createReadReferenced, type ReferencedResources } from './referenced-resources.ts';
import type { Interaction } from './scopes.ts';
import { type JsonService, jsonServiceOf, type ServedRecords } from './served-records.ts';

/** A request to the records, without HTTP. */
export type RouteRequest = ChartLimit &
  IdempotencyOptions &
  Precondition & {
    /** The id in the path; empty if there is none. */
    readonly id: string;
    /** The version in the path; 0 if there is none. */
    readonly version: number;
    /** The URL of the interface, if the host says. */
    readonly baseUrl: string | undefined;
    /** The chart limit under which the sender may read resources of a type; null if it may not. */
    readonly reach: NonNullable<ReadOptions['reach']>;
    readonly parameters: Iterable<readonly [string, string]>;
    readonly body: unknown;
    readonly handling: PreferredHandling | undefined;
    readonly by: AuthorReference;
    readonly onReturn: ReadOptions['onReturn'];
  };

/** The result of a route: a version of a resource; or a bundle, or a resource without versions, as JSON text. */
export type RouteResult = ResourceVersion | string;

/** The level of a route's path within its type. */
export type PathLevel = 'type' | 'instance' | 'search' | 'history' | 'version' | 'everything';

/**
 * One endpoint: the function that serves it, and its input. Everything that serves or describes the interface reads
 * this table.
 */
export type Route = {
  readonly type: string;
  readonly level: PathLevel;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly interaction: Interaction;
  /** The format of the body, or 'nothing'. */
  readonly bodyFormat: 'nothing' | 'json' | 'form';
  /** The errors of this route, besides those of every request. */
  readonly errorTags: readonly ClinicalError['_tag'][];
  /** The search parameters, if `records.describe()` does not describe them. */
  readonly parameters?: readonly ParameterDescription[];
  readonly run: (request: RouteRequest) => Outcome<RouteResult>;
};

const createReadRoute = (
  type: string,
  read: (id: string, request: RouteRequest) => ReturnType<Route['run']>,
): Route => ({
  type,
  level: 'instance',
  method: 'GET',
  interaction: 'read',
  bodyFormat: 'nothing',
  errorTags: ['NotFound'],
  run: (request) => read(request.id, request),
});

/** Reads and searches. Every described type has them. */
const createCurrentRoutes = (
  type: ServedType,
  { read, search }: Pick<Eithers<JsonReads>, 'read' | 'search'>,
  readReferenced?: ReadOptions['readReferenced'],
): readonly Route[] => {
  const searchRoute = (base: string) =>
    ({
      type,
      interaction: 'search',
      errorTags: ['InvalidRequest', 'TooCostly'],
      run: (request: RouteRequest) => search(request.parameters, { ...request, base, readReferenced }),
    }) as const;
  return [
    createReadRoute(type, read),
    { ...searchRoute(''), level: 'type', method: 'GET', bodyFormat: 'nothing' },
    { ...searchRoute('../'), level: 'search', method: 'POST', bodyFormat: 'form' },
  ];
};

const createReadRoutes = (
  type: ResourceType,
  reads: Eithers<JsonReads>,
  readReferenced: ReadOptions['readReferenced'],
): readonly Route[] => {
  const { readVersion, historyBundle } = reads;
  return [
    ...createCurrentRoutes(type, reads, readReferenced),
    {
      type,
      level: 'history',
      method: 'GET',
      interaction: 'history',
      bodyFormat: 'nothing',
      errorTags: ['InvalidRequest', 'NotFound'],
      run: (request) => historyBundle(request.id, request.parameters, { ...request, base: '../../' }),
    },
    {
      type,
      level: 'version',
      method: 'GET',
      interaction: 'vread',
      bodyFormat: 'nothing',
      errorTags: ['NotFound'],
      run: (request) => readVersion(request.id, request.version, request),
    },
  ];
};

const createCreateRoute = (
  type: ResourceType,
  { create }: Pick<JsonService<ServedRecords>, 'create'>,
  errorTags: Route['errorTags'] | undefined,
): readonly Route[] =>
  create === undefined || errorTags === undefined
    ? []
    : [
        {
          type,
          level: 'type',
          method: 'POST',
          interaction: 'create',
          bodyFormat: 'json',
          errorTags,
          run: (request) => create(request.body, request),
        },
      ];

const createUpdateRoute = (
  type: ResourceType,
  { update }: Pick<JsonService<ServedRecords>, 'update'>,
  errorTags: Route['errorTags'] | undefined,
): readonly Route[] =>
  update === undefined || errorTags === undefined
    ? []
    : [
        {
          type,
          level: 'instance',
          method: 'PUT',
          interaction: 'update',
          bodyFormat: 'json',
          errorTags,
          run: (request) => update(request.id, request.body, request),
        },
      ];

const createWriteRoutes = (
  { type, writes }: ServedResource,
  service: JsonService<ServedRecords>,
): readonly Route[] => [
  ...createCreateRoute(type, service, writes.create),
  ...createUpdateRoute(type, service, writes.update),
];

/** The writes of goals are commands, which a host turns on. */
const isTurnedOn = ({ type }: ServedResource): boolean => type === 'Goal';

/** Every endpoint of the interface, without those that a host turns on. */
export const createRoutes = (
  records: ServedRecords,
  referenced: ReferencedResources,
  hostResources: HostResources = { types: [], read: () => null },
): readonly Route[] => {
  const { resources, provenance, exporter } = records;
  const readReferenced = createReadReferenced(referenced);
  return [
    ...resources.flatMap((resource) => {
      const service = jsonServiceOf(records, resource);
      return [
        ...createReadRoutes(resource.type, service, readReferenced),
        ...(isTurnedOn(resource) ? [] : createWriteRoutes(resource, service)),
      ];
    }),
    ...createCurrentRoutes('Provenance', provenance.asJson),
    ...[...referenced].map(([type, read]) => createReadRoute(type, read)),
    createEverythingRoute(exporter, readReferenced),
    ...createHostSearchRoutes(hostResources),
  ];
};

/** The endpoints by which a practitioner stages and commits goals. A host turns them on by `goalCommands`. */
export const createGoalCommandRoutes = (records: ServedRecords): readonly Route[] =>
  records.resources
    .filter(isTurnedOn)
    .flatMap((resource) => createWriteRoutes(resource, jsonServiceOf(records, resource)));
