import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type AccessOptions, type Returned, reportReturned } from '../access/access.ts';
import type { Reports } from '../access/report-calls.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { displayOf } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { invalidRequest, notSupported, type Outcome, relocateIssues } from '../errors.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import { type PractitionerReference, parseReference, readReferenceId } from '../fhir/reference.ts';
import type { EithersOf } from '../outcome.ts';
import {
  type ChartResourceType,
  type CommandRef,
  type CommandState,
  type CommandStatus,
  type CommandStep,
  chartIssue,
  commandId,
  parseCommandId,
  type StepAuthor,
  statusOf,
} from './command.ts';
import { type CommandDefinition, createCommandRecords, type StoredCommand } from './command-records.ts';

/**
 * The actions of a host in its own screens. The clock gives the time. Each action that writes can return `InvalidRequest`,
 * `RuleViolation` and `StoreFailure`. Actions on a command can also return `NotFound`, and `completeOrder` `NotSupported`.
 */
export type Chart<Input extends CommandInput> = {
  /**
   * Adds a command to the chart. No resource shows it yet, except an order, which reads as a draft. A goal that the command is
   * about gets a new version with the same content as the previous one.
   */
  readonly stage: (command: Input) => Promise<CommandEntry<Input['kind']>>;
  /** Puts a staged command into effect from now on. */
  readonly commit: (commandId: string, by: Author) => Promise<CommandEntry<Input['kind']>>;
  /** Stages and commits at once. */
  readonly record: (command: Input, by: Author) => Promise<CommandEntry<Input['kind']>>;
  /** Records that an order was carried out. */
  readonly completeOrder: (commandId: string, by: Author) => Promise<CommandEntry<Input['kind']>>;
  /** Marks a command as entered in error, so that it has no effect. A repeated call changes nothing. */
  readonly enterInError: (commandId: string, by: Author) => Promise<CommandEntry<Input['kind']>>;
  /**
   * The commands behind a resource, imported or created here, in the order of staging and with any status. The first creates
   * the resource. For a goal, commands that update and close it follow.
   * Errors: `InvalidRequest`, `NotFound`, `StoreFailure`.
   */
  readonly commandsOf: (
    resource: Pick<CommandEntry<string>, 'resourceType' | 'resourceId'>,
    options?: AccessOptions,
  ) => Promise<readonly CommandEntry<Input['kind']>[]>;
};

/** The kind of a command, which says what else it has. */
export type CommandInput = {
  /** The kind of command, such as `goal`. */
  readonly kind: string;
};

/** The author of a change of the chart. */
export type Author = {
  /**
   * The practitioner who makes the change, such as `Practitioner/12`. The directory or the host must know the practitioner. The
   * chart also keeps the current name in the directory.
   */
  readonly by: PractitionerReference;
};

/** A command in a patient's chart. */
export type CommandEntry<Kind extends string> = {
  /** The id that `commit`, `completeOrder` and `enterInError` take. */
  readonly id: string;
  /** The kind of command, such as `goal`. */
  readonly kind: Kind;
  /** The state of the command. */
  readonly status: CommandStatus;
  readonly patientId: string;
  /** The type of the resource that the command creates or changes. */
  readonly resourceType: ChartResourceType;
  readonly resourceId: string;
};

const isPractitionerReference = (by: unknown): by is PractitionerReference =>
  typeof by === 'string' && parseReference(by)?.type === 'Practitioner';

/** Returns the author of a step, with the current name. A host without types may omit `by`, or the whole author. */
export const requirePractitioner = async (
  directory: DirectoryRecords,
  author: { readonly by?: unknown } | undefined,
): Outcome<StepAuthor> => {
  const by = author?.by;
  if (!isPractitionerReference(by)) return E.left(invalidRequest(chartIssue('by-required', 'by')));
  return pipe(
    await directory.require('Practitioner', readReferenceId({ reference: by }), 'by'),
    E.map(({ state }) => ({ by, byDisplay: displayOf(state) })),
  );
};

/** The commands behind one type of resource, with any content. */
export type ChartSection<Kind extends string> = {
  readonly kinds: readonly string[];
  readonly steps: readonly CommandStep[];
  readonly stage: (command: unknown) => Outcome<CommandEntry<Kind>>;
  readonly record: (command: unknown, author: () => Outcome<StepAuthor>) => Outcome<CommandEntry<Kind>>;
  readonly step: (
    command: CommandRef,
    step: { readonly step: CommandStep; readonly author: StepAuthor },
  ) => Outcome<CommandEntry<Kind>>;
  readonly commandsOf: (resourceId: string) => Outcome<readonly CommandEntry<Kind>[]>;
};

/** An issue names a field of the command, such as `patientId`. It is reported at `Command.patientId`, as in a malformed command. */
const locateAtCommand = relocateIssues((field) => `Command.${field}`);

export const createChartSection = <Input, Body extends { readonly kind: string }>(
  environment: Environment,
  directory: DirectoryRecords,
  definition: CommandDefinition<Input, Body>,
): ChartSection<Body['kind']> => {
  const { recordDefinition, commandKinds, steps, schema } = definition;
  const records = createCommandRecords(environment, definition);
  const parse = createBodyParser(schema, 'Command');
  const toChartCommand = ({
    record,
    index,
  }: Omit<StoredCommand<Body>, 'resource'>): CommandEntry<Body['kind']> => {
    const command = record.commands[index] as CommandState<Body>;
    return {
      id: commandId({ type: recordDefinition.type, id: record.id, index }),
      kind: command.body.kind,
      status: statusOf(command),
      patientId: record.patientId,
      resourceType: recordDefinition.type,
      resourceId: record.id,
    };
  };
  const toChartResult = E.bimap(locateAtCommand, toChartCommand);
  return {
    kinds: commandKinds,
    steps,
    stage: async (command) => {
      const input = parse(command, 'strict');
      if (E.isLeft(input)) return input;
      return toChartResult(await records.stage(directory, input.right));
    },
    record: async (command, author) => {
      const input = parse(command, 'strict');
      if (E.isLeft(input)) return input;
      const stepAuthor = await author();
      if (E.isLeft(stepAuthor)) return stepAuthor;
      return toChartResult(await records.record(directory, input.right, stepAuthor.right));
    },
    step: async (command, step) => toChartResult(await records.step(command, step)),
    commandsOf: async (id) =>
      pipe(
        await records.read(id),
        E.map((record) => record.commands.map((_, index) => toChartCommand({ record, index }))),
      ),
  };
};

/** The resource behind a command. */
const writtenCommand = ({ resourceType, resourceId, patientId }: CommandEntry<string>): Returned => ({
  resources: [{ type: resourceType, id: resourceId, version: null, patientId }],
  searchedPatientIds: [],
});

const reportStep = (id: string, user: Author | undefined) =>
  ({ interaction: 'update', type: null, id, user, written: writtenCommand }) as const;

/** The reports of the functions. */
export const chartReports: Reports<Chart<CommandInput>> = {
  commit: reportStep,
  record: (_, user) => ({ interaction: 'create', type: null, user, written: writtenCommand }),
  completeOrder: reportStep,
  enterInError: reportStep,
  commandsOf: (_, user) => ({ interaction: 'read', type: null, user }),
};

export const createChart = <Input extends CommandInput>(
  sections: Readonly<Record<ChartResourceType, ChartSection<Input['kind']>>>,
  directory: DirectoryRecords,
): EithersOf<Chart<Input>> => {
  // Arguments are read at the call, so a caller that changes the objects later does not change the request.
  const withSection = async (
    command: Input,
    use: (section: ChartSection<Input['kind']>) => Outcome<CommandEntry<Input['kind']>>,
  ): Outcome<CommandEntry<Input['kind']>> => {
    const kind = (command as Input | null)?.kind ?? '';
    const section = Object.values(sections).find(({ kinds }) => kinds.includes(kind));
    return section === undefined
      ? E.left(invalidRequest(chartIssue('command-kind', 'Command.kind')))
      : use(section);
  };
  const takeStep = async (
    step: CommandStep,
    id: string,
    author: Author,
  ): Outcome<CommandEntry<Input['kind']>> => {
    const command = parseCommandId(id);
    if (command === null) return E.left(invalidRequest(chartIssue('command-id', 'commandId')));
    const section = sections[command.type];
    if (!section.steps.includes(step))
      return E.left(notSupported(chartIssue('not-an-order', 'Command.kind')));
    const stepAuthor = await requirePractitioner(directory, author);
    if (E.isLeft(stepAuthor)) return stepAuthor;
    return section.step(command, { step, author: stepAuthor.right });
  };

  const commandsOf: EithersOf<Chart<Input>>['commandsOf'] = async (
    { resourceType, resourceId },
    options = {},
  ) => {
    if (!Object.hasOwn(sections, resourceType)) {
      return E.left(invalidRequest(chartIssue('command-resource', 'Command.resourceType')));
    }
    if (parseCommandId(resourceId) !== null) {
      return E.left(invalidRequest(chartIssue('resource-id', 'Command.resourceId')));
    }
    return reportReturned(options, sections[resourceType].commandsOf(resourceId), (entries) =>
      entries.slice(0, 1).map(({ patientId }) => ({
        type: resourceType,
        id: resourceId,
        version: null,
        patientId,
      })),
    );
  };

  return {
    stage: (command) => withSection(command, (section) => section.stage(command)),
    record: (command, by) =>
      withSection(command, (section) => section.record(command, () => requirePractitioner(directory, by))),
    commit: (id, by) => takeStep('commit', id, by),
    completeOrder: (id, by) => takeStep('complete', id, by),
    enterInError: (id, by) => takeStep('enterInError', id, by),
    commandsOf,
  };
};
