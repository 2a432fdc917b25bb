import type {
  AuthorReference,
  ChartLimit,
  ClinicalError,
  ClinicalRecords,
  IdempotencyOptions,
  JsonReads,
  Precondition,
  PreferredHandling,
  ResourceType,
  ResourceVersion,
  Result,
} from '@clinical-records/core';
import type { Interaction } from './scopes.ts';

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
    readonly parameters: Iterable<readonly [string, string]>;
    readonly body: unknown;
    readonly handling: PreferredHandling | undefined;
    readonly by: AuthorReference;
  };

/** The result of a route: a version of a resource, or a bundle as JSON text. */
export type RouteResult = ResourceVersion | string;

/** The level of a route's path within its type. */
export type PathLevel = 'type' | 'instance' | 'search' | 'history' | 'version';

/**
 * One endpoint: the function that serves it, and its input. Everything that serves or describes the interface reads
 * this table.
 */
export type Route = {
  readonly type: ResourceType;
  readonly level: PathLevel;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly interaction: Interaction;
  /** The format of the body, or 'nothing'. */
  readonly bodyFormat: 'nothing' | 'json' | 'form';
  /** The errors of this route, besides those of every request. */
  readonly errorTags: readonly ClinicalError['_tag'][];
  readonly run: (request: RouteRequest) => Result<RouteResult>;
};

const createReadRoutes = (
  type: ResourceType,
  { read, search, readVersion, historyBundle }: JsonReads,
): readonly Route[] => {
  const searchRoute = (base: string) =>
    ({
      type,
      interaction: 'search',
      errorTags: ['InvalidRequest', 'TooCostly'],
      run: (request: RouteRequest) => search(request.parameters, { ...request, base }),
    }) as const;
  return [
    {
      type,
      level: 'instance',
      method: 'GET',
      interaction: 'read',
      bodyFormat: 'nothing',
      errorTags: ['NotFound'],
      run: (request) => read(request.id, request),
    },
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
    { ...searchRoute(''), level: 'type', method: 'GET', bodyFormat: 'nothing' },
    { ...searchRoute('../'), level: 'search', method: 'POST', bodyFormat: 'form' },
  ];
};

type JsonUpdates = Pick<ClinicalRecords['careTeams' | 'immunizations']['asJson'], 'update'>;

const writeErrorTags = ['InvalidRequest', 'NotSupported', 'RuleViolation'] as const;

const createUpdateRoute = (
  type: ResourceType,
  { update }: JsonUpdates,
  moreErrorTags: Route['errorTags'] = [],
): Route => ({
  type,
  level: 'instance',
  method: 'PUT',
  interaction: 'update',
  bodyFormat: 'json',
  errorTags: [...writeErrorTags, 'PreconditionFailed', ...moreErrorTags],
  run: (request) => update(request.id, request.body, request),
});

/** Every endpoint of the interface. */
export const createRoutes = ({
  serviceRequests,
  goals,
  careTeams,
  immunizations,
}: ClinicalRecords): readonly Route[] => [
  ...createReadRoutes('ServiceRequest', serviceRequests.asJson),
  ...createReadRoutes('Goal', goals.asJson),
  ...createReadRoutes('CareTeam', careTeams.asJson),
  createUpdateRoute('CareTeam', careTeams.asJson, ['NotFound']),
  ...createReadRoutes('Immunization', immunizations.asJson),
  {
    type: 'Immunization',
    level: 'type',
    method: 'POST',
    interaction: 'create',
    bodyFormat: 'json',
    errorTags: writeErrorTags,
    run: (request) => immunizations.asJson.create(request.body, request),
  },
  createUpdateRoute('Immunization', immunizations.asJson),
];
