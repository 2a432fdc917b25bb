import type {
  ClinicalError,
  ClinicalRecords,
  Handling,
  JsonReads,
  ResourceType,
  ResourceVersion,
} from '@clinical-records/core';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Permission } from './scopes.ts';

/** What a request asks of the records, once HTTP is understood. */
export type Call = {
  /** The id in the path; empty where there is none. */
  readonly id: string;
  readonly parameters: Iterable<readonly [string, string]>;
  readonly body: unknown;
  readonly within: string | undefined;
  readonly handling: Handling | undefined;
  readonly by: string;
  readonly ifMatch: readonly number[] | undefined;
  readonly ifUnmodifiedSince: Date | undefined;
};

/** What the records answer: text to be read, or a version that was written. */
export type Reply =
  | { readonly kind: 'bundle'; readonly json: string }
  | { readonly kind: 'read' | 'created' | 'updated'; readonly version: ResourceVersion };

/** Where in the paths of a type a route lies. */
export type Place = 'type' | 'instance' | 'search';

/** One thing that can be done: what serves it, and what it takes. Whatever serves or describes the interface reads this table. */
export type Route = {
  readonly type: ResourceType;
  readonly place: Place;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly interaction: 'read' | 'search' | 'create' | 'update';
  readonly permission: Permission;
  /** What the body holds, where there is one. */
  readonly takes: 'nothing' | 'json' | 'form';
  /** What may be wrong, besides what may be with every request. */
  readonly refusals: readonly ClinicalError['_tag'][];
  readonly run: (call: Call) => TE.TaskEither<ClinicalError, Reply>;
};

const version =
  (kind: 'read' | 'created' | 'updated') =>
  (made: ResourceVersion): Reply => ({ kind, version: made });

const readRoutes = (type: ResourceType, { read, search }: JsonReads): readonly Route[] => {
  const searching = (base: string) =>
    ({
      type,
      interaction: 'search',
      permission: 's',
      refusals: ['InvalidRequest'],
      run: ({ parameters, within, handling }: Call) =>
        pipe(
          search(parameters, { within, handling, base }),
          TE.map((json): Reply => ({ kind: 'bundle', json })),
        ),
    }) as const;
  return [
    {
      type,
      place: 'instance',
      method: 'GET',
      interaction: 'read',
      permission: 'r',
      takes: 'nothing',
      refusals: ['NotFound'],
      run: ({ id, within }) => pipe(read(id, { within }), TE.map(version('read'))),
    },
    { ...searching(''), place: 'type', method: 'GET', takes: 'nothing' },
    { ...searching('../'), place: 'search', method: 'POST', takes: 'form' },
  ];
};

type Updates = Pick<ClinicalRecords['careTeams' | 'immunizations']['asJson'], 'update'>;

const refusalsOfWrites = ['InvalidRequest', 'NotSupported', 'RuleViolation'] as const;

const updateRoute = (
  type: ResourceType,
  { update }: Updates,
  alsoRefused: Route['refusals'] = [],
): Route => ({
  type,
  place: 'instance',
  method: 'PUT',
  interaction: 'update',
  permission: 'u',
  takes: 'json',
  refusals: [...refusalsOfWrites, 'PreconditionFailed', ...alsoRefused],
  run: ({ id, body, ...options }) => pipe(update(id, body, options), TE.map(version('updated'))),
});

/** Every endpoint of the interface. */
export const routesOf = ({
  serviceRequests,
  goals,
  careTeams,
  immunizations,
}: ClinicalRecords): readonly Route[] => [
  ...readRoutes('ServiceRequest', serviceRequests.asJson),
  ...readRoutes('Goal', goals.asJson),
  ...readRoutes('CareTeam', careTeams.asJson),
  updateRoute('CareTeam', careTeams.asJson, ['NotFound']),
  ...readRoutes('Immunization', immunizations.asJson),
  {
    type: 'Immunization',
    place: 'type',
    method: 'POST',
    interaction: 'create',
    permission: 'c',
    takes: 'json',
    refusals: refusalsOfWrites,
    run: ({ body, ...options }) =>
      pipe(immunizations.asJson.create(body, options), TE.map(version('created'))),
  },
  updateRoute('Immunization', immunizations.asJson),
];
