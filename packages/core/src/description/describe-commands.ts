import * as z from 'zod';
import { participantStatusSchema } from '../care-team/writes.ts';
import { commitSchema, endSchema } from '../chart/chart-json.ts';
import { chartResourceTypes, commandStatuses } from '../chart/command.ts';
import { commandParameters } from '../chart/listed-command.ts';
import { bundleHeadSchema } from '../fhir/bundle.ts';
import { dateTime } from '../fhir/date-time.ts';
import type { Fields } from '../host-fields/host-extension.ts';
import type { Resources } from '../resource-definition.ts';
import { sortParameter } from '../search/sort.ts';
import { describeParameters, type ParameterDescription } from './describe-parameters.ts';
import { addFieldSchemas } from './field-schemas.ts';
import { type JsonSchema, toBodySchema, toResourceSchema } from './json-schema.ts';

/** A description of the commands of charts, as a server serves them. */
export type CommandDescription = {
  /** The body that stages a command, or also commits it. */
  readonly body: JsonSchema;
  /** The body of a step that ends a command. */
  readonly end: JsonSchema;
  /** The body that gives a member of a care team a status. */
  readonly participant: JsonSchema;
  /** A command as it is read. */
  readonly command: JsonSchema;
  /** The commands behind a resource. */
  readonly commands: JsonSchema;
  readonly page: JsonSchema;
  readonly parameters: readonly ParameterDescription[];
};

const stepEntry = z.object({
  at: dateTime,
  by: z.string().exactOptional().describe('The reference to the author; absent if nobody was named.'),
  byDisplay: z.string().exactOptional().describe('The name at that time; absent if it was not known.'),
  reason: z.string().exactOptional().describe('Why it was discarded or entered in error.'),
});

const stagedEntry = stepEntry.extend({
  agent: z
    .object({ reference: z.string(), display: z.string().exactOptional() })
    .exactOptional()
    .describe('The software that staged it for the author; absent if the author did.'),
});

const commandEntry = z.object({
  id: z.string().meta({ examples: ['Goal/7/0'] }),
  kind: z.string().describe('The kind of command, such as goal.'),
  status: z.enum(commandStatuses),
  patientId: z.string(),
  resourceType: z.enum(chartResourceTypes),
  resourceId: z.string(),
  version: z.int().describe('The version of the resource behind it: the number in the ETag.'),
  lastUpdated: dateTime.describe('When that version was written.'),
  staged: stagedEntry,
  committed: stepEntry.exactOptional(),
  completed: stepEntry.exactOptional(),
  reopened: stepEntry.exactOptional(),
  discarded: stepEntry.exactOptional(),
  enteredInError: stepEntry.exactOptional(),
  warnings: z
    .array(
      z.object({
        rule: z.string(),
        message: z.string(),
        expression: z.string().exactOptional(),
        system: z.string().exactOptional().describe('The code system of the rule.'),
      }),
    )
    .exactOptional()
    .describe("The warnings of the host's rules, in the response to a write."),
  command: z.looseObject({ kind: z.string() }).describe('The command as it could be sent again.'),
});

const commands = z.array(commandEntry);

const commandsOfResource = z.object({ commands });

const { total, link } = bundleHeadSchema.shape;

const commandPage = z.object({ total, link, commands });

/** The bodies of some commands, each of which can be committed at once. No client chooses an id. */
const toRequestBodies = (schema: JsonSchema): readonly JsonSchema[] => {
  const { oneOf, properties, ...rest } = schema;
  if (Array.isArray(oneOf)) return oneOf.flatMap(toRequestBodies);
  const { properties: commit } = toBodySchema(commitSchema);
  const { id: _, ...elements } = properties as JsonSchema;
  return [{ ...rest, properties: { ...elements, ...(commit as object) } }];
};

/** Describes the commands with the schemas that parse them. */
export const describeCommands = (resources: Resources, fields?: Fields): CommandDescription => ({
  body: {
    oneOf: Array.from(resources.values()).flatMap(({ type, commandSchema }) =>
      commandSchema === undefined
        ? []
        : toRequestBodies(toBodySchema(commandSchema)).map((body) =>
            addFieldSchemas(body, fields?.get(type), toBodySchema),
          ),
    ),
  },
  end: toBodySchema(endSchema),
  participant: toBodySchema(participantStatusSchema),
  command: toResourceSchema(commandEntry),
  commands: toResourceSchema(commandsOfResource),
  page: toResourceSchema(commandPage),
  parameters: describeParameters({
    declared: commandParameters,
    isStored: true,
    results: sortParameter(commandParameters),
  }),
});
