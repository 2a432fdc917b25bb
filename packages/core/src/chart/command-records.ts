import * as E from 'fp-ts/lib/Either.js';
import type { WithWarnings } from '../access/warnings.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Issue, notFound, type Outcome, ruleViolation } from '../errors.ts';
import {
  type CommonElements,
  carriedFields,
  joinFields,
  type StoredFields,
} from '../fhir/common-elements.ts';
import type { TimeZone } from '../fhir/date-time.ts';
import { replaceReference } from '../fhir/reference.ts';
import type { RecordDefinition, ResourceFacts } from '../records/definition.ts';
import { addCommonElements, type ResourceVersion, resourceVersionOf } from '../records/page.ts';
import {
  createChange,
  type createPreconditionCheck,
  type Decision,
  type ExistingRecord,
  ensureNotBackdated,
  type LoadedRecord,
  load,
  markChangedHere,
  missingRecord,
  recordExists,
  transact,
} from '../records/transact.ts';
import { indexerOf } from '../search/index-entries.ts';
import type { ClinicalStore, RecordChange, VersionCheck } from '../store/port.ts';
import { bytesOf } from '../store/versions.ts';
import {
  applyStep,
  type ChartRecord,
  type ChartResourceType,
  type CommandRef,
  type CommandState,
  type CommandStep,
  chartIssue,
  commandId,
  type StagingAuthor,
  type StepAuthor,
  type StepAuthorship,
  statusOf,
} from './command.ts';
import type { ChartRecordDefinition, CommandDefinition } from './command-definition.ts';
import { listCommand, relistCommand } from './listed-command.ts';

/** The bounds of a record of commands, because each version holds all of them. Source: docs/limits.md. */
const maxCommands = 500;
export const maxRecordBytes = 512 * 1024;

/** A short command that closes a resource fits into a record that is full, so that it can be closed, and closed again once reopened. */
const maxClosings = 100;
const maxClosingBytes = 4 * 1024;

/** Anybody may stage a command for a resource of others. These have bounds of their own, so that they do not fill its record. */
const maxStaged = 20;
const maxStagedBytes = 128 * 1024;

const sizeOf = (part: unknown): number => bytesOf(JSON.stringify(part));

/** By how much commands exceed what a record can hold; zero or less if they fit. `common` are its elements beside them. */
export const excessOf = ({
  common,
  commands,
}: Pick<ChartRecord<unknown>, 'common' | 'commands'>): {
  readonly commands: number;
  readonly bytes: number;
} => ({
  commands: commands.length - maxCommands,
  bytes: sizeOf([common, commands]) - maxRecordBytes,
});

export const recordFullIssue = chartIssue('record-full');

/** Returns the issue of a record to which a command was added, its last one; null if it fits. */
const checkBounds = <Body>(record: ChartRecord<Body>, closes: (body: Body) => boolean): Issue | null => {
  const added = record.commands.at(-1) as CommandState<Body>;
  const isStaged = (command: CommandState<Body>) => statusOf(command) === 'staged';
  const excess = excessOf(record);
  if (!isStaged(added) && closes(added.body) && sizeOf(added) <= maxClosingBytes) {
    return excess.commands > maxClosings ? recordFullIssue : null;
  }
  if (excess.commands > 0 || excess.bytes > 0) return recordFullIssue;
  if (!isStaged(added)) return null;
  const staged = record.commands.slice(1).filter(isStaged);
  return staged.length > maxStaged || sizeOf(staged) > maxStagedBytes ? chartIssue('too-many-staged') : null;
};

export type CommandRecords<Input, Body> = {
  readonly read: (id: string) => Outcome<ExistingRecord<ChartRecord<Body>>>;
  /** Adds a command to the store of a directory, and applies a first step at once if there is one. */
  readonly add: (
    directory: DirectoryRecords,
    input: Input,
    options: {
      readonly author: StagingAuthor;
      readonly step: CommandStep | null;
      /** Whether the caller reaches a record to which the command is added. Default: any. */
      readonly isReached?: (record: ChartRecord<Body>) => Promise<boolean>;
      /** Whether a search for commands finds it. Default: false. */
      readonly isListed?: boolean;
      /** Checks the version of the record to which the command is added, which is 0 if the command begins it. Default: none. */
      readonly isMet?: ReturnType<typeof createPreconditionCheck>;
    },
  ) => Outcome<StoredCommand<Body>>;
  readonly step: (
    command: CommandRef,
    step: {
      readonly step: CommandStep;
      readonly author: StepAuthor;
      /** Why a command is discarded or entered in error. */
      readonly reason?: string | undefined;
      /** The store, if it is not that of the environment. */
      readonly on?: ClinicalStore;
      /** Checks the record before the step, also a record that does not exist. */
      readonly requireRecord?: (
        loaded: LoadedRecord<ChartRecord<Body>>,
      ) => E.Either<ClinicalError, unknown> | Outcome<unknown>;
    },
  ) => Outcome<StoredCommand<Body>>;
};

/** A command after a change: its record, with its version, and its index in the record. */
export type StoredCommand<Body> = WithWarnings & {
  readonly record: ChartRecord<Body>;
  readonly index: number;
  readonly version: number;
  /** When the version was written, in milliseconds since 1970 in UTC. */
  readonly at: number;
  /** The resource, or null if there is none to read. */
  readonly resource: ResourceVersion | null;
  /** Set if the command was as it was to be, and nothing was written. */
  readonly isUnwritten?: true;
};

/** The fields that a command after the first one changes, beside its body. */
export type LaterFields = { readonly fields?: StoredFields };

/** The common elements of a record. Of each field, the values of the last command in effect that states it count. */
const commonOf = ({ common, commands }: ChartRecord<unknown>): CommonElements | undefined => {
  const fields = commands.reduce<StoredFields | undefined>((known, { body, committed, enteredInError }) => {
    const stated = (body as LaterFields).fields;
    const isInEffect = committed != null && enteredInError == null;
    return stated !== undefined && isInEffect ? joinFields(stated, known) : known;
  }, common?.fields);
  return fields === undefined ? common : { ...common, fields };
};

/**
 * Defines the records of the commands that one type of resource derives from. `derive` returns null while there is no resource
 * to read.
 */
export const defineChartRecord = <
  Body,
  Resource extends { readonly resourceType: string; readonly id: string },
>(
  facts: Pick<ResourceFacts<ChartResourceType, Resource>, 'type' | 'profile' | 'conforms' | 'parameters'>,
  derive: (record: ChartRecord<Body>) => Resource | null,
  zone: TimeZone,
): ChartRecordDefinition<Body> => ({
  type: facts.type,
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: (record) => {
    const derived = derive(record);
    if (derived === null) return null;
    const resource = addCommonElements(facts, derived, commonOf(record));
    return { resource, index: indexerOf(facts.parameters)(resource, zone) };
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

/** Applies a step to a command, by the lifecycle of all commands and the rules of the type. */
const takeStep = <Body>(
  record: ChartRecord<Body>,
  step: Parameters<typeof applyStep>[1],
  checkStep: CommandDefinition<unknown, Body>['checkStep'],
): E.Either<ClinicalError, ChartRecord<Body>> => {
  const next = applyStep(record, step);
  if (E.isLeft(next)) return E.left(ruleViolation(next.left));
  const issues = checkStep(record, step);
  return issues.length === 0 ? next : E.left(ruleViolation(issues));
};

const createDecisionWriter =
  <Body>(definition: ChartRecordDefinition<Body>) =>
  (
    loaded: LoadedRecord<ChartRecord<Body>>,
    next: ChartRecord<Body>,
    {
      index,
      authorship,
      sideChanges,
      versionChecks = [],
    }: {
      index: number;
      authorship: StepAuthorship;
      sideChanges: readonly RecordChange[];
      versionChecks?: readonly VersionCheck[];
    },
  ): Decision<StoredCommand<Body>> => {
    const change = createChange(definition, loaded, markChangedHere(next), authorship);
    const version = (loaded.stored?.version ?? 0) + 1;
    const resource = resourceVersionOf(definition.type, { ...change, version });
    return {
      changes: [change, ...sideChanges],
      versionChecks,
      result: { record: next, index, version, at: authorship.at, resource },
    };
  };

const createAdd = <Input extends object, Body>(
  { now }: Pick<Environment, 'now'>,
  { recordDefinition, place, checkStep, closes }: CommandDefinition<Input, Body>,
): CommandRecords<Input, Body>['add'] => {
  const toDecision = createDecisionWriter(recordDefinition);
  return (
    directory,
    input,
    { author, step, isReached = async () => true, isListed = false, isMet = () => E.right(undefined) },
  ) =>
    transact(directory.store)(async () => {
      const at = now();
      const placed = await place(directory, input, { ...author, at, isReached });
      if (E.isLeft(placed)) return placed;
      const { record: loaded, patientId, body, common, sideChanges, versionChecks } = placed.right;
      const met = isMet({ version: loaded.stored?.version ?? 0, lastModified: loaded.stored?.at ?? 0 });
      if (E.isLeft(met)) return met;
      const authorship = ensureNotBackdated(loaded, { at, ...author });
      const before = loaded.state ?? { id: loaded.id, patientId, common, commands: [] };
      const index = before.commands.length;
      const version = (loaded.stored?.version ?? 0) + 1;
      const { agent } = author;
      const isNamed = isListed && (author.by !== null || agent !== undefined);
      const stagedBy = isNamed ? { ...author, ...(agent && { version }) } : undefined;
      const fields = loaded.state === null ? undefined : carriedFields(input);
      const changed = fields === undefined ? body : { ...body, fields };
      const command = { body: changed, stagedAt: authorship.at, stagedBy };
      const staged = { ...before, commands: [...before.commands, command] };
      const next = step === null ? E.right(staged) : takeStep(staged, { index, step, authorship }, checkStep);
      if (E.isLeft(next)) return next;
      const excess = checkBounds(next.right, closes);
      if (excess !== null) return E.left(ruleViolation(excess));
      const listed = isListed ? [listCommand(recordDefinition.type, next.right, { index, authorship })] : [];
      return E.right(
        toDecision(loaded, next.right, {
          index,
          authorship,
          sideChanges: [...sideChanges, ...listed],
          versionChecks,
        }),
      );
    });
};

const createStep = <Input, Body>(
  { store, now }: Pick<Environment, 'store' | 'now'>,
  { recordDefinition, checkStep }: CommandDefinition<Input, Body>,
): CommandRecords<Input, Body>['step'] => {
  const toDecision = createDecisionWriter(recordDefinition);
  return (command, { step, author, reason, on = store, requireRecord = () => E.right(null) }) =>
    transact(
      on,
      step === 'reopen' || step === 'discard' || step === 'enterInError' ? 'retraction' : 'request',
    )(async () => {
      const { id, index } = command;
      const record = await load(on, recordDefinition, id);
      if (E.isLeft(record)) return record;
      const loaded = record.right;
      const required = await requireRecord(loaded);
      if (E.isLeft(required)) return required;
      if (!recordExists(loaded) || index >= loaded.state.commands.length)
        return E.left(notFound('Command', commandId(command)));
      const authorship = ensureNotBackdated(loaded, { at: now(), ...author });
      const { version, at } = loaded.stored;
      const next = takeStep(
        loaded.state,
        { index, step, authorship, reason, version: version + 1 },
        checkStep,
      );
      if (E.isLeft(next)) return next;
      if (next.right === loaded.state) {
        const resource = resourceVersionOf(recordDefinition.type, loaded.stored);
        const result = { record: next.right, index, version, at, resource, isUnwritten: true } as const;
        return E.right({ changes: [], result });
      }
      const status = statusOf(next.right.commands[index] as CommandState<Body>);
      const listed = await relistCommand(on, command, { status, authorship });
      if (E.isLeft(listed)) return listed;
      return E.right(toDecision(loaded, next.right, { index, authorship, sideChanges: listed.right }));
    });
};

export const createCommandRecords = <Input extends object, Body>(
  environment: Environment,
  definition: CommandDefinition<Input, Body>,
): CommandRecords<Input, Body> => ({
  read: async (id) => {
    const { recordDefinition } = definition;
    const loaded = await load(environment.store, recordDefinition, id);
    if (E.isLeft(loaded)) return loaded;
    return recordExists(loaded.right) ? E.right(loaded.right) : E.left(notFound(recordDefinition.type, id));
  },
  add: createAdd(environment, definition),
  step: createStep(environment, definition),
});
