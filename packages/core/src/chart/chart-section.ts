import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import { type Outcome, relocateIssues } from '../errors.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import {
  type ChartResourceType,
  type CommandRef,
  type CommandState,
  type CommandStatus,
  commandId,
  type StepAuthor,
  statusOf,
} from './command.ts';
import type { CommandStep } from './command-lifecycle.ts';
import { type CommandDefinition, createCommandRecords, type StoredCommand } from './command-records.ts';

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
