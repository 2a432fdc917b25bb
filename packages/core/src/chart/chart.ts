import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import type { AccessHooks, AccessOptions, AnswerContent } from '../access/access.ts';
import { type ChartLimit, type ReadOptions, readForms, viewForms } from '../access/chart-limit.ts';
import { type WarningOptions, warningForms } from '../access/warnings.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import { type Issue, invalidRequest, notSupported, type Outcome } from '../errors.ts';
import { shortText } from '../fhir/element.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import type { Agent, AuthorReference, PractitionerReference } from '../fhir/reference.ts';
import { withNumbers } from '../fhir/schema.ts';
import { actor, agent, anything, type Form, id, namedValues, type OptionForms } from '../forms.ts';
import type { FunctionTable } from '../open-service.ts';
import { type EitherFunction, type EithersOf, mapFunctions, type ServiceFunction } from '../outcome.ts';
import { type IdempotencyOptions, idempotencyForms } from '../records/idempotency.ts';
import { type Precondition, preconditionForms } from '../records/transact.ts';
import { type SearchPairs, type SearchSort, searchParameters } from '../search/search-input.ts';
import { type ChartJson, chartJsonFunctions, createChartJson } from './chart-json.ts';
import type { AddOptions, ChartSection, WrittenCommand } from './chart-section.ts';
import {
  type ChartResourceType,
  type CommandStatus,
  type CommandStep,
  chartIssue,
  parseCommandId,
} from './command.ts';
import type { CommandSearch } from './listed-command.ts';
import { type CommandPage, createCommandSearch, returnedCommand } from './search-commands.ts';

/**
 * The actions of a host in its own screens, and of a server that serves them. The clock gives the time. Each action that writes can
 * return `InvalidRequest`, `Forbidden`, `RuleViolation` and `StoreFailure`. Actions on a command can also return `NotFound`,
 * `PreconditionFailed`, and `completeOrder` and `reopenOrder` `NotSupported`.
 */
export type Chart<Input extends CommandInput> = {
  /**
   * Adds a command to the chart. No resource shows it yet, except an order, which reads as a draft. A goal that the command is
   * about gets a new version with the same content as the previous one.
   */
  readonly stage: (command: Input, options?: StageOptions) => Promise<CommandEntry<Input>>;
  /** Puts a staged command into effect from now on. */
  readonly commit: (commandId: string, options: StepOptions) => Promise<CommandEntry<Input>>;
  /** Stages and commits at once. */
  readonly record: (command: Input, options: StepOptions) => Promise<CommandEntry<Input>>;
  /** Records that an order was carried out. */
  readonly completeOrder: (commandId: string, options: StepOptions) => Promise<CommandEntry<Input>>;
  /** Takes back that an order was carried out, so that it is active again. */
  readonly reopenOrder: (commandId: string, options: StepOptions) => Promise<CommandEntry<Input>>;
  /**
   * Ends a staged command that is not to be committed. A draft order then reads as entered in error; a goal or an immunization was
   * never readable, and stays so. A repeated call changes nothing.
   */
  readonly discard: (commandId: string, options: EndOptions) => Promise<CommandEntry<Input>>;
  /** Marks a committed command as entered in error, so that it has no effect. A repeated call changes nothing. */
  readonly enterInError: (commandId: string, options: EndOptions) => Promise<CommandEntry<Input>>;
  /** The command with an id. Errors: `InvalidRequest`, `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly read: (commandId: string, options?: ChartLimit & AccessOptions) => Promise<CommandEntry<Input>>;
  /**
   * The commands behind a resource, imported or created here, in the order of staging and with any status. The first creates
   * the resource. For a goal, commands that update and close it follow.
   * Errors: `InvalidRequest`, `NotFound`, `Forbidden`, `StoreFailure`.
   */
  readonly commandsOf: (
    resource: CommandedResource,
    options?: ChartLimit & AccessOptions,
  ) => Promise<readonly CommandEntry<Input>[]>;
  /**
   * A page of the commands that `stage` and `record` added to charts, oldest first. An import and `immunizations.create` add none.
   * Errors: `InvalidRequest`, `Forbidden`, `TooCostly`, `StoreFailure`. Source: docs/chart-commands.md#search.
   */
  readonly search: (
    parameters: (CommandSearch & SearchSort) | SearchPairs,
    options?: ReadOptions,
  ) => Promise<CommandPage<Input>>;
  /** The same for the requests of a server: bodies of any type, and JSON texts as results. */
  readonly asJson: ChartJson;
};

/** The kind of a command, which says what else it has. */
export type CommandInput = {
  /** The kind of command, such as `goal`. */
  readonly kind: string;
};

/** The practitioner who makes a change of the chart, for its history. */
export type Author = {
  /**
   * The practitioner who makes the change, such as `Practitioner/12`. The directory or the host must know the practitioner. The
   * chart also keeps the current name in the directory.
   */
  readonly by: PractitionerReference;
};

/** The options of a staged command. The versions of `ifMatch` are those of the goal that the command is about. */
export type StageOptions = ChartLimit &
  AccessHooks &
  WarningOptions &
  IdempotencyOptions &
  Precondition & {
    /** A reference to who stages it, such as `Practitioner/12`. It need not be a practitioner. */
    readonly by?: AuthorReference | undefined;
    /** The software that stages it for `by`, such as an assistant. Readers of the command and of its Provenance see it. */
    readonly agent?: Agent | undefined;
  };

/** The options of a step, and of a command that is recorded. The versions of `ifMatch` are those of the resource behind the command. */
export type StepOptions = Author &
  ChartLimit &
  AccessHooks &
  WarningOptions &
  IdempotencyOptions &
  Precondition;

/** The options of a step that ends a command. */
export type EndOptions = StepOptions & {
  /**
   * Why, in words: 1,000 characters at most. The command keeps it. A resource that reads as entered in error, and the Provenance of the
   * version, show it.
   */
  readonly reason?: string | undefined;
};

/** Names a goal, an order or an immunization, which derives from commands. */
export type CommandedResource = {
  /** The type of the resource that the command creates or changes. */
  readonly resourceType: ChartResourceType;
  readonly resourceId: string;
};

/** When a command took a step, and by whom. */
export type CommandStepEntry = {
  /** ISO 8601, with fractional seconds and UTC offset. */
  readonly at: string;
  /** The reference to who took it, such as `Practitioner/12`; absent if nobody was named. */
  readonly by?: string;
  /** The name at that time; absent if it was not known. */
  readonly byDisplay?: string;
  /** Why it was discarded or entered in error; absent if that was not said. */
  readonly reason?: string;
};

/** When a command was staged, and by whom. */
export type StagedStepEntry = CommandStepEntry & {
  /** The software that staged it for `by`; absent if the user did. */
  readonly agent?: Agent;
};

/** A command in a patient's chart, with its steps: the result of `chart.read` and of searches. */
export type CommandEntry<Input extends CommandInput> = CommandedResource & {
  /** The id that `commit`, `completeOrder`, `reopenOrder`, `discard` and `enterInError` take. */
  readonly id: string;
  /** The kind of command, such as `goal`. */
  readonly kind: Input['kind'];
  readonly status: CommandStatus;
  readonly patientId: string;
  /** The version of the resource behind it: the number in its ETag. */
  readonly version: number;
  /** When that version was written: ISO 8601, with fractional seconds and UTC offset. */
  readonly lastUpdated: string;
  readonly staged: StagedStepEntry;
  /** Absent if it was not committed. */
  readonly committed?: CommandStepEntry;
  /** Absent if it is not an order that was carried out. */
  readonly completed?: CommandStepEntry;
  /** Absent if the completion of an order was not taken back. */
  readonly reopened?: CommandStepEntry;
  /** Absent if it was not discarded. */
  readonly discarded?: CommandStepEntry;
  /** Absent if it was not entered in error. */
  readonly enteredInError?: CommandStepEntry;
  /** The warnings of the host's rules, in the result of a write; absent if there are none. */
  readonly warnings?: readonly Issue[];
  /** The command as it could be sent again: all of it but its `id`. An imported one may have elements that no sent command has. */
  readonly command: Input;
};

const writeForms: OptionForms<Omit<StageOptions, 'agent'>> = {
  ...viewForms,
  ...warningForms,
  ...idempotencyForms,
  ...preconditionForms,
};

const stageForms: OptionForms<StageOptions> = { ...writeForms, agent };

const commandId: Form = { ...id, error: invalidRequest(chartIssue('command-id', 'commandId')) };

const practitioner: Form = { ...actor, error: invalidRequest(chartIssue('by-required', 'by')) };

const stepForms: OptionForms<StepOptions> = { ...writeForms, by: practitioner };

const add = {
  kind: 'write',
  takes: [anything],
  access: { interaction: 'create', type: null },
} as const satisfies Omit<FunctionTable<Chart<CommandInput>>['stage'], 'options'>;

const step = {
  kind: 'write',
  takes: [commandId],
  options: stepForms,
  access: { interaction: 'update', type: null },
} as const satisfies FunctionTable<Chart<CommandInput>>['commit'];

const end = { ...step, options: { ...stepForms, reason: anything } };

export const chartFunctions: FunctionTable<Chart<CommandInput>> = {
  stage: { ...add, options: stageForms },
  record: { ...add, options: stepForms },
  commit: step,
  completeOrder: step,
  reopenOrder: step,
  discard: end,
  enterInError: end,
  read: { kind: 'read', takes: [commandId], options: viewForms, access: { interaction: 'read', type: null } },
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
  asJson: chartJsonFunctions,
};

const parseReason = createBodyParser(z.object({ reason: shortText.optional() }), 'Command');

/** Makes a function return numbers for the decimals of a command, also of one that was sent as JSON. */
const toTypedCall =
  (call: ServiceFunction): ServiceFunction =>
  async (...sent) =>
    E.map((result) => withNumbers(result as object))(await (call as EitherFunction)(...sent));

type Sections<Input extends CommandInput> = Readonly<Record<ChartResourceType, ChartSection<Input>>>;

const report = (
  { onReturn }: AccessHooks,
  commands: readonly CommandEntry<CommandInput>[],
  further: Partial<Omit<AnswerContent, 'resources'>> = {},
) => onReturn?.({ resources: commands.flatMap(returnedCommand), searchedPatientIds: [], ...further });

/** The command after a write, which is reported. */
const reportWritten = async <Input extends CommandInput>(
  options: AccessHooks & WarningOptions = {},
  write: Outcome<WrittenCommand<Input>>,
): Outcome<CommandEntry<Input>> => {
  const written = await write;
  if (E.isLeft(written)) return written;
  const { entry, isUnwritten } = written.right;
  if (entry.warnings !== undefined) options.onWarnings?.(entry.warnings);
  report(options, [entry], { isUnwritten });
  return E.right(entry);
};

// Arguments are read at the call, so a caller that changes the objects later does not change the request.
const createAdd = <Input extends CommandInput>(sections: Sections<Input>, directory: DirectoryRecords) => {
  const kinds = Object.values(sections).flatMap((section) => section.kinds);
  return (how: Pick<AddOptions, 'commits' | 'acceptsId'>) =>
    async (command: Input, options: StageOptions = {}): Outcome<CommandEntry<Input>> => {
      const kind = (command as Input | null)?.kind ?? '';
      const section = Object.values(sections).find(({ kinds }) => kinds.includes(kind));
      return section === undefined
        ? E.left(invalidRequest(chartIssue('command-kind', 'Command.kind', kinds)))
        : reportWritten(options, section.add(directory, command, { ...options, ...how }));
    };
};

const parseId = (id: string) => {
  const command = parseCommandId(id);
  return command === null ? E.left(invalidRequest(chartIssue('command-id', 'commandId'))) : E.right(command);
};

const createStep =
  <Input extends CommandInput>(sections: Sections<Input>, directory: DirectoryRecords) =>
  (step: CommandStep) =>
  async (id: string, options: EndOptions): Outcome<CommandEntry<Input>> => {
    const command = parseId(id);
    if (E.isLeft(command)) return command;
    const section = sections[command.right.type];
    if (!section.steps.includes(step))
      return E.left(notSupported(chartIssue('not-an-order', 'Command.kind')));
    const sent = parseReason({ reason: options?.reason }, 'strict');
    return E.isLeft(sent)
      ? sent
      : reportWritten(options, section.step(directory, command.right, { ...options, ...sent.right, step }));
  };

const createRead =
  <Input extends CommandInput>(sections: Sections<Input>): EithersOf<Chart<Input>>['read'] =>
  async (id, options = {}) => {
    const command = parseId(id);
    if (E.isLeft(command)) return command;
    const found = await sections[command.right.type].read(command.right, options);
    if (E.isRight(found)) report(options, [found.right]);
    return found;
  };

const createCommandsOf =
  <Input extends CommandInput>(sections: Sections<Input>): EithersOf<Chart<Input>>['commandsOf'] =>
  async ({ resourceType, resourceId }, options = {}) => {
    if (!Object.hasOwn(sections, resourceType)) {
      return E.left(invalidRequest(chartIssue('command-resource', 'Command.resourceType')));
    }
    if (parseCommandId(resourceId) !== null) {
      return E.left(invalidRequest(chartIssue('resource-id', 'Command.resourceId')));
    }
    const found = await sections[resourceType].commandsOf(resourceId, options);
    if (E.isRight(found)) report(options, found.right.slice(0, 1));
    return found;
  };

export const createChart = <Input extends CommandInput>(
  environment: Environment,
  sections: Sections<Input>,
  directory: DirectoryRecords,
): EithersOf<Chart<Input>> => {
  const adder = createAdd(sections, directory);
  const stepper = createStep(sections, directory);
  const calls = {
    stage: adder({ commits: false, acceptsId: true }),
    record: adder({ commits: true, acceptsId: true }),
    commit: stepper('commit'),
    completeOrder: stepper('complete'),
    reopenOrder: stepper('reopen'),
    discard: stepper('discard'),
    enterInError: stepper('enterInError'),
    read: createRead(sections),
    commandsOf: createCommandsOf(sections),
    search: createCommandSearch<Input>(environment, sections),
  } satisfies EithersOf<Omit<Chart<Input>, 'asJson'>>;
  const ofRequests = {
    ...calls,
    stage: adder({ commits: false, acceptsId: false }),
    record: adder({ commits: true, acceptsId: false }),
  };
  return { ...(mapFunctions(calls, toTypedCall) as typeof calls), asJson: createChartJson(ofRequests) };
};
