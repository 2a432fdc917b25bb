import type { InterfaceDescription, JsonSchema } from '@clinical-records/core/adapter';
import { type CommandPathStep, commandType, scopesFor } from '../access/scopes.ts';
import type { Route } from '../routes/route.ts';
import {
  contentOf,
  headerRefs,
  idempotencyKey,
  ifNoneMatch,
  preconditions,
  preferences,
  queryParametersOf,
  schemaRef,
} from './parameters.ts';
import {
  errorResponsesOf,
  type ServedOptions,
  validationResponses,
  validationVariant,
  writeResponseOf,
} from './responses.ts';

const pathParameter = (name: string, description: string, schema: JsonSchema) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
});

const ofResource = [
  pathParameter('resourceType', 'Type of the resource behind the command, such as `Goal`.', {
    type: 'string',
  }),
  pathParameter('id', 'Id of the resource.', { type: 'string', minLength: 1 }),
];

const ofCommand = [
  ...ofResource,
  pathParameter('index', 'How many commands of the resource are before it.', { type: 'integer', minimum: 0 }),
];

const versionHeaderRefs = headerRefs('ETag', 'Last-Modified');

const stepSummaries: Readonly<Record<CommandPathStep, string>> = {
  commit: 'Put a command into effect',
  complete: 'Complete an order',
  reopen: 'Take back that an order was completed',
  discard: 'End a staged command',
  'enter-in-error': 'Mark a committed command as entered in error',
};

const describeStep = (step: CommandPathStep, served: ServedOptions) => {
  const ends = step === 'discard' || step === 'enter-in-error';
  const body = ends ? schemaRef('Command.end') : { type: 'object', additionalProperties: false };
  return {
    operationId: `${step.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Command`,
    summary: stepSummaries[step],
    description: 'The version that it expects is that of its resource.',
    parameters: [...ofCommand, idempotencyKey, ...preconditions, preferences],
    requestBody: { required: false, content: contentOf(body) },
    responses: { 200: writeResponseOf(commandType, served) },
  };
};

/** The parts of an operation that are its own: its id, its summary, its parameters and its responses. */
const describeOperation = (
  { type, level, method }: Route,
  { commands: { parameters } }: InterfaceDescription,
  served: ServedOptions,
) => {
  const read = (schema: string, description: string) => ({
    200: { description, content: contentOf(schemaRef(schema)), headers: headerRefs() },
  });
  switch (level) {
    case 'commands':
      return method === 'GET'
        ? {
            operationId: 'searchCommands',
            summary: 'Search commands',
            description: 'A comma in a value is "or", a repeated parameter is "and". Oldest first.',
            parameters: queryParametersOf(parameters),
            responses: read('Command.page', 'A page of the matches'),
          }
        : {
            operationId: 'createCommand',
            summary: 'Stage a command, or also commit it',
            description: 'A staged command has no effect until it is committed.',
            parameters: [idempotencyKey, ...preconditions, preferences],
            requestBody: { required: true, content: contentOf(schemaRef('Command.create')) },
            responses: { 201: writeResponseOf(commandType, served, 'Location') },
          };
    case 'commandsOf':
      return {
        operationId: 'readCommandsOfResource',
        summary: 'Read the commands behind a resource',
        description: 'In the order in which they were staged.',
        parameters: ofResource,
        responses: read('Command.list', 'The commands'),
      };
    case 'participant':
      return {
        operationId: 'setParticipantStatus',
        summary: 'Give a member of a care team a status',
        description:
          'Makes a member proposed, active, suspended, inactive or entered in error. A new member joins the team.',
        parameters: [
          pathParameter('id', 'Id of the patient.', { type: 'string', minLength: 1 }),
          ...preconditions,
          preferences,
        ],
        requestBody: { required: true, content: contentOf(schemaRef('Command.participant')) },
        responses: { 200: writeResponseOf(type, served) },
      };
    case 'command':
      return {
        operationId: 'readCommand',
        summary: 'Read a command',
        description: 'Its version is that of its resource.',
        parameters: [...ofCommand, ifNoneMatch],
        responses: {
          200: {
            description: 'The command',
            content: contentOf(schemaRef(commandType)),
            headers: versionHeaderRefs,
          },
          304: { description: '`If-None-Match` names the version', headers: versionHeaderRefs },
        },
      };
    default:
      return describeStep(level as CommandPathStep, served);
  }
};

/** The same of a validation, which ignores a key and the conditions. */
const describeRoute = (route: Route, description: InterfaceDescription, served: ServedOptions) => {
  const described = describeOperation(route, description, served);
  if (!route.isValidation) return described;
  return {
    ...described,
    operationId: described.operationId + validationVariant.id,
    summary: described.summary + validationVariant.words,
    description: 'Says what the write would be refused for. Nothing is written.',
    parameters: described.parameters.filter((parameter) => parameter.in === 'path'),
    responses: validationResponses,
  };
};

/** Describes a route of commands as an operation of OpenAPI. */
export const commandOperationOf = (
  route: Route,
  description: InterfaceDescription,
  served: ServedOptions,
) => {
  const { responses, description: introduction, ...operation } = describeRoute(route, description, served);
  const scopes = scopesFor(route.type, route.interaction);
  return {
    ...operation,
    tags: [route.type],
    description: `${introduction}\n\nNeeds one of the scopes ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`,
    security: scopes.map((scope) => ({ bearer: [scope] })),
    responses: { ...responses, ...errorResponsesOf(route, served) },
  };
};

/** The schemas of commands, by their names in the document. */
export const commandSchemasOf = ({
  commands,
}: InterfaceDescription): Readonly<Record<string, JsonSchema>> => ({
  [commandType]: commands.command,
  'Command.create': commands.body,
  'Command.end': commands.end,
  'Command.participant': commands.participant,
  'Command.list': commands.commands,
  'Command.page': commands.page,
});
