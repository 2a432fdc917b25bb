import * as E from 'fp-ts/lib/Either.js';
import type * as z from 'zod';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Issue, notFound, type Outcome, ruleViolation } from '../errors.ts';
import type { CommonElements } from '../fhir/common-elements.ts';
import type { TimeZone } from '../fhir/date-time.ts';
import { replaceReference } from '../fhir/reference.ts';
import type { RecordDefinition, ResourceFacts } from '../records/definition.ts';
import { addCommonElements, type ResourceVersion, resourceVersionOf } from '../records/page.ts';
import {
  createChange,
  type Decision,
  ensureNotBackdated,
  type LoadedRecord,
  load,
  missingRecord,
  recordExists,
  transact,
} from '../records/transact.ts';
import type { RecordChange } from '../store/port.ts';
import {
  applyStep,
  type ChartRecord,
  type ChartResourceType,
  type CommandRef,
  type CommandStep,
  chartIssue,
  commandId,
  type StepAuthor,
  type StepAuthorship,
} from './command.ts';

export type CommandRecords<Input, Body> = {
  readonly read: (id: string) => Outcome<ChartRecord<Body>>;
  /** Adds a command to the store of a directory. */
  readonly stage: (directory: DirectoryRecords, input: Input) => Outcome<StoredCommand<Body>>;
  /** Stages and commits at once. */
  readonly record: (
    directory: DirectoryRecords,
    input: Input,
    author: StepAuthor,
  ) => Outcome<StoredCommand<Body>>;
  readonly step: (
    command: CommandRef,
    step: {
      readonly step: CommandStep;
      readonly author: StepAuthor;
      /** Checks the record before the step, also a record that does not exist. */
      readonly requireRecord?: (loaded: LoadedRecord<ChartRecord<Body>>) => E.Either<ClinicalError, unknown>;
    },
  ) => Outcome<StoredCommand<Body>>;
};

/** A command after a change: its record, its index in the record, and the resource, or null if there is none to read. */
export type StoredCommand<Body> = {
  readonly record: ChartRecord<Body>;
  readonly index: number;
  readonly resource: ResourceVersion | null;
};

/** Defines how the commands behind one type of resource are stored. */
export type CommandDefinition<Input, Body> = {
  readonly recordDefinition: ChartRecordDefinition<Body>;
  /** The accepted kinds of command, their possible steps, and the schema that checks each command. */
  readonly commandKinds: readonly string[];
  readonly steps: readonly CommandStep[];
  readonly schema: z.ZodType<Input>;
  /** Places a command in the record to which it belongs, by the entries of a directory and the records in its store. */
  readonly place: (directory: DirectoryRecords, input: Input, at: number) => Outcome<Placement<Body>>;
  /** Returns the issues of a step, in addition to the lifecycle of all commands. */
  readonly checkStep: (
    record: ChartRecord<Body>,
    step: { readonly step: CommandStep; readonly index: number },
  ) => readonly Issue[];
};

/** The record for a new command, either a new or an existing one, and the changes to write with it. */
export type Placement<Body> = {
  readonly record: LoadedRecord<ChartRecord<Body>>;
  readonly patientId: string;
  readonly body: Body;
  /** The elements of a new record that resources of every type have. */
  readonly common?: CommonElements | undefined;
  readonly sideChanges: readonly RecordChange[];
};

export type ChartRecordDefinition<Body> = RecordDefinition<ChartRecord<Body>> & {
  readonly type: ChartResourceType;
};

/**
 * Defines the records of the commands that one type of resource derives from. `derive` returns null while there is no resource
 * to read.
 */
export const defineChartRecord = <
  Body,
  Resource extends { readonly resourceType: string; readonly id: string },
>(
  facts: Pick<ResourceFacts<ChartResourceType, Resource>, 'type' | 'profile' | 'conforms' | 'index'>,
  derive: (record: ChartRecord<Body>) => Resource | null,
  zone: TimeZone,
): ChartRecordDefinition<Body> => ({
  type: facts.type,
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: (record) => {
    const derived = derive(record);
    if (derived === null) return null;
    const resource = addCommonElements(facts, derived, record.common);
    return { resource, index: facts.index(resource as never, zone) };
  },
  withPatient: (record, from, to) => ({
    ...replaceReference(record, `Patient/${from}`, `Patient/${to}`),
    patientId: to,
  }),
  // Not to practitioners: an import keeps the name of one who is not known.
  refersTo: ({ patientId }) => [{ type: 'Patient', id: patientId }],
});

/** Starts the record of a command, with the id that the host gives, or a new one. */
export const startRecord = async <State>(
  { store, newId }: Pick<Environment, 'store' | 'newId'>,
  definition: RecordDefinition<State>,
  id: string | undefined,
): Outcome<LoadedRecord<State>> => {
  if (id === undefined) return E.right(missingRecord(newId()));
  const loaded = await load(store, definition, id);
  if (E.isRight(loaded) && recordExists(loaded.right)) {
    return E.left(ruleViolation(chartIssue('command-exists', 'id')));
  }
  return loaded;
};

export const createCommandRecords = <Input, Body>(
  { store, now }: Environment,
  { recordDefinition, place, checkStep }: CommandDefinition<Input, Body>,
): CommandRecords<Input, Body> => {
  const takeStep = (
    record: ChartRecord<Body>,
    step: { readonly index: number; readonly step: CommandStep; readonly authorship: StepAuthorship },
  ): E.Either<ClinicalError, ChartRecord<Body>> => {
    const next = applyStep(record, step);
    if (E.isLeft(next)) return E.left(ruleViolation(next.left));
    const issues = checkStep(record, step);
    return issues.length === 0 ? next : E.left(ruleViolation(issues));
  };

  const toDecision = (
    loaded: LoadedRecord<ChartRecord<Body>>,
    next: ChartRecord<Body>,
    {
      index,
      authorship,
      sideChanges = [],
    }: { index: number; authorship: StepAuthorship; sideChanges?: readonly RecordChange[] },
  ): Decision<StoredCommand<Body>> => {
    if (loaded.stored !== null && next === loaded.state) {
      const resource = resourceVersionOf(recordDefinition.type, loaded.stored);
      return { changes: [], result: { record: next, index, resource } };
    }
    const change = createChange(recordDefinition, loaded, next, authorship);
    const version = (loaded.stored?.version ?? 0) + 1;
    return {
      changes: [change, ...sideChanges],
      result: {
        record: next,
        index,
        resource: resourceVersionOf(recordDefinition.type, { ...change, version }),
      },
    };
  };

  /** Stages a command, and applies a first step at once if there is one. */
  const addCommand = (
    directory: DirectoryRecords,
    input: Input,
    { author, step }: { readonly author: StepAuthor; readonly step: CommandStep | null },
  ) =>
    transact(directory.store)(async () => {
      const at = now();
      const placed = await place(directory, input, at);
      if (E.isLeft(placed)) return placed;
      const { record: loaded, patientId, body, common, sideChanges } = placed.right;
      const authorship = ensureNotBackdated(loaded, { at, ...author });
      const before = loaded.state ?? { id: loaded.id, patientId, common, commands: [] };
      const index = before.commands.length;
      const staged = { ...before, commands: [...before.commands, { body, stagedAt: authorship.at }] };
      const next = step === null ? E.right(staged) : takeStep(staged, { index, step, authorship });
      return E.isLeft(next)
        ? next
        : E.right(toDecision(loaded, next.right, { index, authorship, sideChanges }));
    });

  return {
    read: async (id) => {
      const loaded = await load(store, recordDefinition, id);
      if (E.isLeft(loaded)) return loaded;
      return recordExists(loaded.right)
        ? E.right(loaded.right.state)
        : E.left(notFound(recordDefinition.type, id));
    },
    stage: (directory, input) => addCommand(directory, input, { author: { by: null }, step: null }),
    record: (directory, input, author) => addCommand(directory, input, { author, step: 'commit' }),
    step: (command, { step, author, requireRecord = () => E.right(null) }) =>
      transact(store)(async () => {
        const { id, index } = command;
        const record = await load(store, recordDefinition, id);
        if (E.isLeft(record)) return record;
        const loaded = record.right;
        const required = requireRecord(loaded);
        if (E.isLeft(required)) return required;
        if (!recordExists(loaded) || index >= loaded.state.commands.length)
          return E.left(notFound('Command', commandId(command)));
        const authorship = ensureNotBackdated(loaded, { at: now(), ...author });
        const next = takeStep(loaded.state, { index, step, authorship });
        return E.isLeft(next) ? next : E.right(toDecision(loaded, next.right, { index, authorship }));
      }),
  };
};
