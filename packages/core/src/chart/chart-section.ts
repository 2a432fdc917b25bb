import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Environment } from '../environment.ts';
import { type Result, toldAt } from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import { type ChartDefinition, createChartRecords, type Kept } from './chart-records.ts';
import {
  type ChartResourceType,
  type Command,
  type CommandRef,
  type CommandStatus,
  commandId,
  statusOf,
} from './command.ts';
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

/** A fault names the field of a command, `patientId` say; it is told at `Command.patientId`, as one of a malformed command is. */
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
  const told = TE.bimap(atCommand, commandOf);
  return {
    kinds: commandKinds,
    steps,
    stage: (command) =>
      pipe(
        parse(command),
        TE.flatMap((input) => told(records.stage(input))),
      ),
    record: (command, who) =>
      pipe(
        parse(command),
        TE.flatMap((input) =>
          pipe(
            who,
            TE.flatMap((by) => told(records.record(input, by))),
          ),
        ),
      ),
    step: (command, step) => told(records.step(command, step)),
    commandsOf: (id) =>
      pipe(
        records.read(id),
        TE.map((record) => record.commands.map((_, index) => commandOf({ record, index }))),
      ),
  };
};
