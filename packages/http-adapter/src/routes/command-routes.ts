import type { CommandStep } from '@clinical-records/core';
import type { ChartResourceType } from '@clinical-records/core/adapter';
import { type CommandPathStep, commandSteps, commandType } from '../access/scopes.ts';
import type { Route, RouteRequest, ServedRecords, WrittenRecords } from './route.ts';
import { type JsonService, jsonServiceOf } from './routes.ts';
import { createWriteRoutes } from './write.ts';

/** The steps in the words of the chart. */
const steps = {
  commit: 'commit',
  complete: 'complete',
  reopen: 'reopen',
  discard: 'discard',
  'enter-in-error': 'enterInError',
} as const satisfies Record<CommandPathStep, CommandStep>;

const readRoute = { type: commandType, method: 'GET', bodyFormat: 'nothing' } as const;

/** Whether the body of a create commits the command, too. Anything else than a boolean is refused later. */
const commits = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'commit' in body && body.commit === true;

/** Whether the body of a status enters a member in error. */
const entersInError = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'status' in body && body.status === 'entered-in-error';

/** The resource in the path of a request for its commands. The chart checks the type. */
const resourceOf = ({ id }: RouteRequest) => {
  const slash = id.indexOf('/');
  return { resourceType: id.slice(0, slash) as ChartResourceType, resourceId: id.slice(slash + 1) };
};

/** The endpoints that give a participant of a resource a status. */
const createParticipantRoutes = (records: ServedRecords): readonly Route[] =>
  records.resources.flatMap((resource) => {
    const { setParticipantStatus: errorTags } = resource.writes;
    if (errorTags === undefined) return [];
    const { read } = jsonServiceOf(records, resource);
    return createWriteRoutes(records, {
      type: resource.type,
      level: 'participant',
      method: 'POST',
      interaction: 'update',
      bodyFormat: 'json',
      errorTags,
      furtherInteractions: (body) => (entersInError(body) ? ['enter-in-error'] : []),
      run: (on, { id, body, write }) =>
        (jsonServiceOf(on, resource) as Required<JsonService<WrittenRecords>>).setParticipantStatus(
          id,
          body,
          write,
        ),
      readWritten: read,
    });
  });

/** The endpoints of chart commands. A host turns them on with `chartCommands`. Source: docs/http-interface.md#chart-commands. */
export const createCommandRoutes = (records: ServedRecords): readonly Route[] => {
  const { asJson: chart } = records.chart;
  return [
    {
      ...readRoute,
      level: 'commands',
      interaction: 'search',
      errorTags: ['InvalidRequest', 'TooCostly'],
      run: (request) => chart.search(request.parameters, request.bundle),
    },
    ...createWriteRoutes(records, {
      type: commandType,
      level: 'commands',
      method: 'POST',
      interaction: 'create',
      bodyFormat: 'json',
      createCondition: 'If-Match',
      errorTags: ['InvalidRequest', 'PreconditionFailed', 'RuleViolation'],
      furtherInteractions: (body) => (commits(body) ? ['commit'] : []),
      run: (on, { body, write, idempotencyKey, agent }) =>
        on.chart.asJson.create(body, { ...write, idempotencyKey, agent }),
      readWritten: chart.read,
    }),
    {
      ...readRoute,
      level: 'commandsOf',
      interaction: 'read',
      errorTags: ['InvalidRequest', 'NotFound'],
      run: (request) => chart.commandsOf(resourceOf(request), request.access),
    },
    ...createParticipantRoutes(records),
    {
      ...readRoute,
      level: 'command',
      interaction: 'read',
      errorTags: ['InvalidRequest', 'NotFound'],
      run: ({ id, access }) => chart.read(id, access),
    },
    ...commandSteps.flatMap((step) =>
      createWriteRoutes(records, {
        type: commandType,
        level: step,
        method: 'POST',
        interaction: step,
        bodyFormat: 'json',
        isBodyOptional: true,
        errorTags: ['InvalidRequest', 'NotFound', 'NotSupported', 'PreconditionFailed', 'RuleViolation'],
        run: (on, { id, body, write, idempotencyKey }) =>
          on.chart.asJson.step(id, steps[step], body, { ...write, idempotencyKey }),
        readWritten: chart.read,
      }),
    ),
  ];
};
