import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as z from 'zod';
import type { AccessOptions } from '../access/access.ts';
import {
  type ChartLimit,
  type ReadOptions,
  readForms,
  viewForms,
  type WriteOptions,
} from '../access/chart-limit.ts';
import { warningForms } from '../access/warnings.ts';
import { type ClinicalError, isFailure, misuse, notFound, type Outcome } from '../errors.ts';
import { shortText } from '../fhir/element.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import type { PractitionerReference } from '../fhir/reference.ts';
import { renderJson } from '../fhir/schema.ts';
import { agent, anything, id, namedValues, type OptionForms, oneOf } from '../forms.ts';
import type { FunctionTable } from '../open-service.ts';
import type { EithersOf } from '../outcome.ts';
import { type IdempotencyOptions, idempotencyForms } from '../records/idempotency.ts';
import type { ResourceVersion } from '../records/page.ts';
import { type Precondition, preconditionForms } from '../records/transact.ts';
import { type SearchPairs, searchParameters } from '../search/search-input.ts';
import type { Chart, CommandEntry, CommandedResource, CommandInput, StageOptions } from './chart.ts';
import { type CommandStep, isChartResourceType, parseCommandId, practitionerOnlyError } from './command.ts';
import { commandFacts } from './listed-command.ts';

/** The options of a request that writes a command. */
type RequestOptions = Omit<WriteOptions, 'handling'> & IdempotencyOptions & Precondition;

/** The options of a request that adds a command. An agent can only stage one. */
type CreateOptions = RequestOptions & Pick<StageOptions, 'agent'>;

/**
 * The chart as a server serves it: bodies of any type, which are checked, and JSON texts as results. A version has the id of the
 * command, and the number and the time of its resource. Source: docs/http-interface.md#chart-commands.
 */
export type ChartJson = {
  /**
   * Stages the command in a body, which has no `id`. If its `commit` is true, the command is also committed, by `by`.
   * Errors: `InvalidRequest`, `PreconditionFailed`, `Forbidden`, `RuleViolation`, `StoreFailure`.
   */
  readonly create: (body: unknown, options?: CreateOptions) => Promise<ResourceVersion>;
  /**
   * Takes a step of a command. The body is undefined or an object, with a `reason` if the step ends the command.
   * Errors: `InvalidRequest`, `NotFound`, `NotSupported`, `PreconditionFailed`, `Forbidden`, `RuleViolation`, `StoreFailure`.
   */
  readonly step: (
    commandId: string,
    step: CommandStep,
    body: unknown,
    options?: RequestOptions,
  ) => Promise<ResourceVersion>;
  /** The command with an id. Errors: `InvalidRequest`, `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly read: (commandId: string, options?: ChartLimit & AccessOptions) => Promise<ResourceVersion>;
  /** The `commands` behind a resource. Errors: `InvalidRequest`, `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly commandsOf: (resource: CommandedResource, options?: ChartLimit & AccessOptions) => Promise<string>;
  /** A page of commands. Errors: `InvalidRequest`, `Forbidden`, `TooCostly`, `StoreFailure`. */
  readonly search: (parameters: SearchPairs, options?: ReadOptions) => Promise<string>;
};

const { type } = commandFacts;

type Calls<Input extends CommandInput> = Omit<Chart<Input>, 'asJson'>;

export const commitSchema = z.looseObject({
  commit: z.boolean().optional().describe('Whether the command is committed at once. Default: it is staged.'),
});

/** The body of a step that says no reason. */
const stepSchema = z.strictObject({});

/** The body of a step that ends a command. */
export const endSchema = z.strictObject({
  reason: shortText.optional().describe('Why, in words.'),
});

const parseCommit = createBodyParser(commitSchema, 'Command');
const parsers = {
  commit: createBodyParser(stepSchema, 'Command'),
  complete: createBodyParser(stepSchema, 'Command'),
  reopen: createBodyParser(stepSchema, 'Command'),
  discard: createBodyParser(endSchema, 'Command'),
  enterInError: createBodyParser(endSchema, 'Command'),
} as const satisfies Record<CommandStep, unknown>;

const requestForms: OptionForms<RequestOptions> = {
  ...viewForms,
  ...warningForms,
  ...idempotencyForms,
  ...preconditionForms,
};

export const chartJsonFunctions: FunctionTable<ChartJson> = {
  create: {
    kind: 'write',
    takes: [anything],
    options: { ...requestForms, agent },
    access: { interaction: 'create', type: null },
  },
  step: {
    kind: 'write',
    takes: [id, oneOf(...Object.keys(parsers)), anything],
    options: requestForms,
    access: { interaction: 'update', type: null },
  },
  read: { kind: 'read', takes: [id], options: viewForms, access: { interaction: 'read', type: null } },
  commandsOf: {
    kind: 'read',
    takes: [namedValues],
    options: viewForms,
    access: { interaction: 'read', type: null },
  },
  search: {
    kind: 'search',
    takes: [searchParameters],
    options: readForms,
    access: { interaction: 'search', type: null },
  },
};

/** The author of a request. The chart checks that it is a practitioner. */
const asPractitioner = ({ by }: RequestOptions) => ({ by: by as PractitionerReference });

/** A sender cannot name another author. So if something is wrong with the author, the sender may not do this. */
const forbidOthers = (error: ClinicalError): ClinicalError =>
  !isFailure(error) && error.issues.every(({ expression }) => expression === 'by')
    ? practitionerOnlyError
    : error;

const toVersion = <Input extends CommandInput>(command: CommandEntry<Input>): ResourceVersion => ({
  id: command.id,
  patientId: command.patientId,
  version: command.version,
  lastModified: Date.parse(command.lastUpdated),
  json: renderJson(command),
  ...(command.warnings && { warnings: command.warnings }),
});

const toResult = async <Input extends CommandInput>(
  command: Outcome<CommandEntry<Input>>,
): Outcome<ResourceVersion> => pipe(await command, E.bimap(forbidOthers, toVersion));

export const createChartJson = <Input extends CommandInput>(
  chart: EithersOf<Calls<Input>>,
): EithersOf<ChartJson> => {
  const takers = {
    commit: chart.commit,
    complete: chart.completeOrder,
    reopen: chart.reopenOrder,
    discard: chart.discard,
    enterInError: chart.enterInError,
  } as const satisfies Record<CommandStep, unknown>;
  return {
    create: async (body, options = {}) => {
      const sent = parseCommit(body, 'strict');
      if (E.isLeft(sent)) return sent;
      // Not from what was parsed: Zod leaves out a property `__proto__`, which is to be refused like any unknown element.
      const { commit = false, ...rest } = body as CommandInput & z.output<typeof commitSchema>;
      if (commit && options.agent !== undefined) return E.left(misuse('An agent can only stage a command.'));
      const command = rest as CommandInput as Input;
      return toResult(
        commit
          ? chart.record(command, { ...options, ...asPractitioner(options) })
          : chart.stage(command, options),
      );
    },
    step: async (id, step, body = {}, options = {}) => {
      if (parseCommandId(id) === null) return E.left(notFound(type, id));
      const sent = parsers[step](body, 'strict');
      if (E.isLeft(sent)) return sent;
      return toResult(takers[step](id, { ...options, ...sent.right, ...asPractitioner(options) }));
    },
    read: async (id, options) =>
      parseCommandId(id) === null ? E.left(notFound(type, id)) : toResult(chart.read(id, options)),
    commandsOf: async (resource, options) => {
      const { resourceType, resourceId } = resource;
      if (!isChartResourceType(resourceType)) return E.left(notFound(type, `${resourceType}/${resourceId}`));
      return pipe(
        await chart.commandsOf(resource, options),
        E.map((commands) => renderJson({ commands })),
      );
    },
    search: async (parameters, options) => pipe(await chart.search(parameters, options), E.map(renderJson)),
  };
};
