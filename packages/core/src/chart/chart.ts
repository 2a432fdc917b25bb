import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import { invalidRequest, notFound, notSupported, type Result, toldAt } from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import { type ChartDefinition, createChartRecords, type Kept } from './chart-records.ts';
import {
  type ChartResourceType,
  type Command,
  type CommandRef,
  type CommandStatus,
  commandId,
  parseCommandId,
  statusOf,
} from './command.ts';
import { chartFault } from './faults.ts';
import type { Step } from './steps.ts';

/** A command in a patient's chart. */
export type ChartCommand = {
  /** What `commit`, `completeOrder` and `enterInError` take. */
  readonly id: string;
  readonly kind: string;
  readonly status: CommandStatus;
  readonly patientId: string;
  /** The resource that it makes, or is part of. */
  readonly resourceType: ChartResourceType;
  readonly resourceId: string;
};

/** The practitioner who does it: the id, or `Practitioner/<id>`; kept as the id. The directory or the host must know it. */
export type By = { readonly by: string };

/**
 * What a host does in its own screens. Time is the clock's. Errors of all that write: `RuleViolation`, `StoreFailure`; of
 * `stage` and `record` also `InvalidRequest`, of those that name a command `NotFound`, and of `completeOrder` `NotSupported`.
 */
export type Chart<Input> = {
  /**
   * Puts a command into the chart, where nothing shows it yet, unless it is an order: that reads as a draft. Of a goal it
   * makes a version that says what the one before did.
   */
  readonly stage: (command: Input) => Result<ChartCommand>;
  /** Makes a staged command count from now on. */
  readonly commit: (commandId: string, by: By) => Result<ChartCommand>;
  /** Stages and commits at once. */
  readonly record: (command: Input, by: By) => Result<ChartCommand>;
  /** Says that an order was carried out. */
  readonly completeOrder: (commandId: string, by: By) => Result<ChartCommand>;
  /** Takes a command out of what counts; to do it again changes nothing. */
  readonly enterInError: (commandId: string, by: By) => Result<ChartCommand>;
  /**
   * The commands behind a resource, whether it was imported or made here, in the order in which they were staged and
   * whatever has become of them: first the one that makes it, then, of a goal, those that update and close it.
   * Errors: `InvalidRequest`, `NotFound`, `StoreFailure`.
   */
  readonly commandsOf: (
    resource: Pick<ChartCommand, 'resourceType' | 'resourceId'>,
  ) => Result<readonly ChartCommand[]>;
};

/** The commands behind one type of resource, whatever they hold. */
export type ChartSection = {
  readonly kinds: readonly string[];
  readonly steps: readonly Step[];
  readonly stage: (command: unknown) => Result<ChartCommand>;
  readonly record: (command: unknown, who: Result<string>) => Result<ChartCommand>;
  readonly step: (
    command: CommandRef,
    step: { readonly step: Step; readonly by: string },
  ) => Result<ChartCommand>;
  readonly commandsOf: (resourceId: string) => Result<readonly ChartCommand[]>;
};

/** What a chart has against a command names the field alone; it is told as what is malformed is, `Command.patientId` say. */
const atCommand = toldAt((field) => `Command.${field}`);

export const chartSection = <Input, Body extends { readonly kind: string }>(
  environment: Environment,
  definition: ChartDefinition<Input, Body>,
): ChartSection => {
  const { kind, commandKinds, steps, schema } = definition;
  const records = createChartRecords(environment, definition);
  const parse = (command: unknown) => TE.fromEither(parseBody(schema, 'Command')(command, 'strict'));
  const commandOf = ({ record, index }: Omit<Kept<Body>, 'resource'>): ChartCommand => {
    const command = record.commands[index] as Command<Body>;
    return {
      id: commandId({ type: kind.type, id: record.id, index }),
      kind: command.body.kind,
      status: statusOf(command),
      patientId: record.patientId,
      resourceType: kind.type,
      resourceId: record.id,
    };
  };
  return {
    kinds: commandKinds,
    steps,
    stage: (command) =>
      pipe(
        parse(command),
        TE.flatMap((input) => TE.mapLeft(atCommand)(records.stage(input))),
        TE.map(commandOf),
      ),
    record: (command, who) =>
      pipe(
        parse(command),
        TE.bindTo('input'),
        TE.bind('by', () => who),
        TE.flatMap(({ input, by }) => TE.mapLeft(atCommand)(records.record(input, by))),
        TE.map(commandOf),
      ),
    step: (command, step) => pipe(records.step(command, step), TE.map(commandOf)),
    commandsOf: (id) =>
      pipe(
        records.read(id),
        TE.map((record) => record.commands.map((_, index) => commandOf({ record, index }))),
      ),
  };
};

export const createChart = <Input extends { readonly kind: string }>(
  sections: Readonly<Record<ChartResourceType, ChartSection>>,
  directory: DirectoryRecords,
): Chart<Input> => {
  // What is given is read when it is given: whoever goes on with the same objects has not changed what was asked for.
  const inSectionOf = (
    command: Input,
    use: (section: ChartSection) => Result<ChartCommand>,
  ): Result<ChartCommand> => {
    const kind = (command as Input | null)?.kind ?? '';
    const section = Object.values(sections).find(({ kinds }) => kinds.includes(kind));
    return section === undefined
      ? TE.left(invalidRequest(chartFault('command-kind', 'Command.kind')))
      : use(section);
  };
  const practitioner = (who: By): Result<string> => {
    // Nobody is named by a host without types that forgets to.
    const by: unknown = (who as By | undefined)?.by;
    if (typeof by !== 'string') return TE.left(invalidRequest(chartFault('no-practitioner', 'by')));
    const id = by.replace(/^Practitioner\//, '');
    return pipe(
      directory.demanded('Practitioner', id, 'by'),
      TE.map(() => id),
    );
  };
  const take = (step: Step, id: string, who: By): Result<ChartCommand> => {
    const command = parseCommandId(id);
    if (command === null) return TE.left(notFound('Command', id));
    const section = sections[command.type];
    if (!section.steps.includes(step))
      return TE.left(notSupported(chartFault('not-an-order', 'Command.kind')));
    return pipe(
      practitioner(who),
      TE.flatMap((by) => section.step(command, { step, by })),
    );
  };

  return {
    stage: (command) => inSectionOf(command, (section) => section.stage(command)),
    record: (command, by) => inSectionOf(command, (section) => section.record(command, practitioner(by))),
    commit: (id, by) => take('commit', id, by),
    completeOrder: (id, by) => take('complete', id, by),
    enterInError: (id, by) => take('enterInError', id, by),
    commandsOf: ({ resourceType, resourceId }) =>
      Object.hasOwn(sections, resourceType)
        ? sections[resourceType].commandsOf(resourceId)
        : TE.left(invalidRequest(chartFault('command-resource', 'Command.resourceType'))),
  };
};
