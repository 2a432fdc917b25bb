import type {
  Access,
  ClinicalError,
  ClinicalRecords,
  Handling,
  Idempotency,
  JsonReads,
  Precondition,
  ResourceType,
  ResourceVersion,
  Result,
} from '@clinical-records/core';
import type { Interaction } from './scopes.ts';

/** What a request asks of the records, once HTTP is understood. */
export type Call = Access &
  Idempotency &
  Precondition & {
    /** The id in the path; empty where there is none. */
    readonly id: string;
    readonly parameters: Iterable<readonly [string, string]>;
    readonly body: unknown;
    readonly handling: Handling | undefined;
    readonly by: string;
  };

/** What the records answer: a version of a resource, or a bundle as JSON text. */
export type Reply = ResourceVersion | string;

/** Where in the paths of a type a route lies. */
export type Place = 'type' | 'instance' | 'search';

/** One thing that can be done: what serves it, and what it takes. Whatever serves or describes the interface reads this table. */
export type Route = {
  readonly type: ResourceType;
  readonly place: Place;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly interaction: Interaction;
  /** What the body holds, where there is one. */
  readonly takes: 'nothing' | 'json' | 'form';
  /** What may be wrong, besides what may be wrong with every request. */
  readonly refusals: readonly ClinicalError['_tag'][];
  readonly run: (call: Call) => Result<Reply>;
};

const readRoutes = (type: ResourceType, { read, search }: JsonReads): readonly Route[] => {
  const searching = (base: string) =>
    ({
      type,
      interaction: 'search',
      refusals: ['InvalidRequest', 'TooCostly'],
      run: (call: Call) => search(call.parameters, { ...call, base }),
    }) as const;
  return [
    {
      type,
      place: 'instance',
      method: 'GET',
      interaction: 'read',
      takes: 'nothing',
      refusals: ['NotFound'],
      run: (call) => read(call.id, call),
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
  takes: 'json',
  refusals: [...refusalsOfWrites, 'PreconditionFailed', ...alsoRefused],
  run: (call) => update(call.id, call.body, call),
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
    takes: 'json',
    refusals: refusalsOfWrites,
    run: (call) => immunizations.asJson.create(call.body, call),
  },
  updateRoute('Immunization', immunizations.asJson),
];
