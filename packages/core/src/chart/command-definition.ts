import type * as z from 'zod';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Issue, Outcome } from '../errors.ts';
import type { CommonElements } from '../fhir/common-elements.ts';
import type { RecordDefinition } from '../records/definition.ts';
import type { LoadedRecord } from '../records/transact.ts';
import type { RecordChange, VersionCheck } from '../store/port.ts';
import type { ChartRecord, ChartResourceType, CommandStep, StepAuthor } from './command.ts';

/** The author and the time of a command that is placed. */
type PlacementContext<Body> = StepAuthor & {
  readonly at: number;
  readonly isReached: (record: ChartRecord<Body>) => Promise<boolean>;
};

/** Defines how the commands behind one type of resource are stored. */
export type CommandDefinition<Input, Body> = {
  readonly recordDefinition: ChartRecordDefinition<Body>;
  /** The accepted kinds of command, their possible steps, and the schema that checks each command. */
  readonly commandKinds: readonly string[];
  readonly steps: readonly CommandStep[];
  readonly schema: z.ZodType<Input>;
  /** Places a command in the record to which it belongs, by the entries of a directory and the records in its store. */
  readonly place: (
    directory: DirectoryRecords,
    input: Input,
    context: PlacementContext<Body>,
  ) => Outcome<Placement<Body>>;
  /** The command as it could be sent again, without its id. */
  readonly toInput: (record: ChartRecord<Body>, body: Body) => Input;
  /** Returns the issues of a step, in addition to the lifecycle of all commands. */
  readonly checkStep: (
    record: ChartRecord<Body>,
    step: { readonly step: CommandStep; readonly index: number },
  ) => readonly Issue[];
  /** Whether a command closes its resource, which has to be possible in a record that is full. */
  readonly closes: (body: Body) => boolean;
};

/** The record for a new command, either a new or an existing one, and the changes to write with it. */
export type Placement<Body> = {
  readonly record: LoadedRecord<ChartRecord<Body>>;
  readonly patientId: string;
  readonly body: Body;
  /** The elements of a new record that resources of every type have. */
  readonly common?: CommonElements | undefined;
  readonly sideChanges: readonly RecordChange[];
  /** The patient of a new record, who may be merged or erased before the commit. An existing one is itself changed by that. */
  readonly versionChecks: readonly VersionCheck[];
};

export type ChartRecordDefinition<Body> = RecordDefinition<ChartRecord<Body>> & {
  readonly type: ChartResourceType;
};
