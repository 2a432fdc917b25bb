import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { ChartLimit } from '../access/chart-limit.ts';
import type { WithWarnings } from '../access/warnings.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import {
  type ClinicalError,
  invalidRequest,
  notFound,
  type Outcome,
  otherChartError,
  relocateIssue,
  relocateIssues,
} from '../errors.ts';
import { type CommonElements, carriedFields, storeCommonElements } from '../fhir/common-elements.ts';
import type { BodyParser } from '../fhir/parse-body.ts';
import { isObject } from '../fhir/schema.ts';
import { createFieldParser } from '../host-fields/read-fields.ts';
import { commitAsOne } from '../records/buffered-store.ts';
import { createOnceForKey } from '../records/idempotency.ts';
import type { ResourceVersion } from '../records/page.ts';
import { openReach, type Reach } from '../records/reach.ts';
import { createPreconditionCheck, type LoadedRecord, recordExists } from '../records/transact.ts';
import type { ClinicalStore, StoredRecord } from '../store/port.ts';
import type { CommandEntry, CommandInput, EndOptions, StageOptions } from './chart.ts';
import {
  type ChartRecord,
  type ChartResourceType,
  type CommandRef,
  type CommandStep,
  chartIssue,
  commandId,
} from './command.ts';
import type { CommandDefinition } from './command-definition.ts';
import { createEntryWriter, type EntryWriter } from './command-entry.ts';
import type { StoredCommand } from './command-records.ts';
import { type CommandRecords, createCommandRecords } from './command-records.ts';
import { findAuthor, requirePractitioner } from './step-author.ts';

/** How a command is added. */
export type AddOptions = StageOptions & {
  /** Whether it is committed at once. */
  readonly commits: boolean;
  /** Whether its sender may choose the id of its record. */
  readonly acceptsId: boolean;
};

/** A command after a write, and whether it was as it was to be, so that nothing was written. */
export type WrittenCommand<Input extends CommandInput> = {
  readonly entry: CommandEntry<Input>;
  readonly isUnwritten: true | undefined;
};

/** The commands behind one type of resource, with any content. */
export type ChartSection<Input extends CommandInput> = {
  readonly kinds: readonly string[];
  readonly steps: readonly CommandStep[];
  /** Stages a command, or also commits it. */
  readonly add: (
    directory: DirectoryRecords,
    command: unknown,
    options: AddOptions,
  ) => Outcome<WrittenCommand<Input>>;
  readonly step: (
    directory: DirectoryRecords,
    command: CommandRef,
    options: EndOptions & { readonly step: CommandStep },
  ) => Outcome<WrittenCommand<Input>>;
  readonly read: (command: CommandRef, limit: ChartLimit) => Outcome<CommandEntry<Input>>;
  readonly commandsOf: (resourceId: string, limit: ChartLimit) => Outcome<readonly CommandEntry<Input>[]>;
  /** Parses a stored record, and returns its commands by their indexes; null for one that it does not have. */
  readonly open: (stored: StoredRecord) => (index: number) => CommandEntry<Input> | null;
};

/** The chart and the labels of commands. */
type ChartAndLabels = Pick<ChartRecord<unknown>, 'patientId' | 'common'>;

const commandLabels = ({ security, tag }: CommonElements = {}) => ({
  ...(security !== undefined && { security }),
  ...(tag !== undefined && { tag }),
});

/** Whether a caller reaches commands. The id is null for those of a resource, and for one that is to be created. */
const isReached = (
  { allows }: Reach,
  { patientId, common }: ChartAndLabels,
  id: string | null = null,
): Promise<boolean> => allows(patientId, { id, labels: commandLabels(common) });

/** The field of a command from which an element of its resource derives; the element if it derives from no single field. */
const fieldOf =
  (command: object) =>
  (element: string): string => {
    const [, name = ''] = /^\w+\.(\w+)/.exec(element) ?? [];
    const id = name === 'subject' ? 'patientId' : `${name}Id`;
    const field = [name, id].find((candidate) => Object.hasOwn(command, candidate));
    return field === undefined ? element : `Command.${field}`;
  };

/** An issue names a field of the command, such as `patientId`. It is reported at `Command.patientId`, as in a malformed command. */
const locateAtCommand = (command: object = {}) =>
  relocateIssues((field) => (field === 'by' ? field : `Command.${field}`), fieldOf(command));

/** Moves the warnings of a command to its fields, as errors are. */
const locateWarnings = ({ warnings }: WithWarnings, command: object = {}): WithWarnings =>
  warnings === undefined ? {} : { warnings: warnings.map(relocateIssue(fieldOf(command))) };

/** A command that names the patient in whose chart it begins a record. */
type BeginningCommand = Parameters<typeof storeCommonElements>[0] & { readonly patientId: string };

const beginsRecord = (input: object): input is BeginningCommand => 'patientId' in input;

const choosesId = (command: unknown): boolean => isObject(command) && command.id !== undefined;

/** Does a request, or only once if it has an idempotency key. */
type DoOnce<Input extends CommandInput, Body> = (
  options: StageOptions,
  request: {
    readonly body: unknown;
    /** The command, if one is sent. */
    readonly command?: object;
    readonly reach: Reach;
    readonly index?: number;
    readonly isLimited?: boolean;
  },
  work: (on: ClinicalStore) => Outcome<StoredCommand<Body>>,
) => Outcome<WrittenCommand<Input>>;

const createDoOnce = <Input extends CommandInput, Body>(
  { store, type }: { readonly store: ClinicalStore; readonly type: ChartResourceType },
  records: Pick<CommandRecords<Input, Body>, 'read'>,
  toEntry: EntryWriter<Input, Body>,
): DoOnce<Input, Body> => {
  /** A command as the result of a request that is done only once. */
  const toVersion = (stored: Omit<StoredCommand<Body>, 'resource'>): ResourceVersion => ({
    id: stored.record.id,
    patientId: stored.record.patientId,
    version: stored.version,
    lastModified: stored.at,
    json: JSON.stringify(toEntry(stored)),
    ...(stored.isUnwritten && { isUnwritten: true }),
    ...(stored.warnings && { warnings: stored.warnings }),
  });

  /** The command of a stored version: the last one, or that at an index. */
  const storedAt =
    (index?: number) =>
    ({ state, version, at }: StoredRecord): ResourceVersion => {
      const record = JSON.parse(state) as ChartRecord<Body>;
      return toVersion({ record, version, at, index: index ?? record.commands.length - 1 });
    };

  return async (options, { body, command, reach, index, isLimited = false }, work) => {
    const { by = null, idempotencyKey } = options;
    const once = createOnceForKey(options, { by, type, body, readStored: storedAt(index) });
    if (E.isLeft(once)) return once;
    if (idempotencyKey === undefined && !isLimited) {
      return pipe(
        await work(store),
        E.bimap(locateAtCommand(command), (stored) => ({
          entry: { ...toEntry(stored), ...locateWarnings(stored, command) },
          isUnwritten: stored.isUnwritten,
        })),
      );
    }
    const done = await commitAsOne(store, (buffer) =>
      once.right(buffer, async () => pipe(await work(buffer), E.map(toVersion))),
    );
    if (E.isLeft(done)) return E.left(locateAtCommand(command)(done.left));
    const { isUnwritten, json } = done.right;
    const result = E.right({
      entry: { ...(JSON.parse(json) as CommandEntry<Input>), ...locateWarnings(done.right, command) },
      isUnwritten,
    });
    if (!isUnwritten) return result;
    // A retry returns what was done then, to a caller who may have lost the chart since.
    const current = await records.read(done.right.id);
    if (E.isLeft(current)) return current;
    return (await isReached(reach, current.right.state)) ? result : E.left(otherChartError);
  };
};

/** Parses a command that is to be added, and the reach of its sender. */
const parseAdded = <Input>(
  parse: (command: unknown, handling: 'strict') => E.Either<ClinicalError, Input>,
  command: unknown,
  options: ChartLimit & Pick<AddOptions, 'acceptsId'>,
): E.Either<ClinicalError, { readonly input: Input; readonly reach: Reach }> => {
  const input = parse(command, 'strict');
  const reach = openReach(options);
  // Whether an id is free says whether a record in any chart has it.
  const isLimited = E.isLeft(reach) || reach.right.isLimited;
  const isIdRefused = choosesId(command) && (isLimited || !options.acceptsId);
  const issues = [
    ...(E.isLeft(input) ? input.left.issues : []),
    ...(isIdRefused ? [chartIssue('chosen-id', 'Command.id')] : []),
  ];
  if (E.isLeft(input) || issues.length > 0) return E.left(invalidRequest(issues));
  return E.isLeft(reach) ? reach : E.right({ input: input.right, reach: reach.right });
};

const createAdd =
  <Input extends CommandInput & object, Body>(
    { store, parse }: { readonly store: ClinicalStore; readonly parse: BodyParser<Input> },
    records: Pick<CommandRecords<Input, Body>, 'add'>,
    doOnce: DoOnce<Input, Body>,
  ): ChartSection<Input>['add'] =>
  async (directory, command, { commits, acceptsId, ...options }) => {
    const parsed = parseAdded(parse, command, { acceptsId, ...options });
    if (E.isLeft(parsed)) return parsed;
    const { input, reach } = parsed.right;
    const { isLimited } = reach;
    const isMet = createPreconditionCheck(options);
    const beginning = beginsRecord(input) ? input : null;
    if (beginning !== null) {
      const { patientId } = beginning;
      const isWithin = await isReached(reach, { patientId, common: storeCommonElements(beginning) });
      if (!isWithin) return E.left(otherChartError);
    }
    const body = [commits, input, ...[carriedFields(input) ?? []].flat()];
    return doOnce(options, { body, command: input, reach, isLimited }, async (on) => {
      const shown = beginning === null || !isLimited ? reach.patientIds : new Set([beginning.patientId]);
      const directoryOn = on === store ? directory : directory.onStore(on, shown);
      const author = commits
        ? await requirePractitioner(directoryOn, options)
        : await findAuthor(directoryOn, options);
      if (E.isLeft(author)) return author;
      return records.add(directoryOn, input, {
        author: author.right,
        step: commits ? 'commit' : null,
        isReached: (record) => isReached(reach, record),
        isListed: true,
        isMet,
      });
    });
  };

const createStep =
  <Input extends CommandInput, Body>(
    store: ClinicalStore,
    records: Pick<CommandRecords<Input, Body>, 'step'>,
    doOnce: DoOnce<Input, Body>,
  ): ChartSection<Input>['step'] =>
  async (directory, ref, { step, reason, ...options }) => {
    const reach = openReach(options);
    if (E.isLeft(reach)) return reach;
    const isMet = createPreconditionCheck(options);
    const id = commandId(ref);
    const requireRecord = async (loaded: LoadedRecord<ChartRecord<Body>>): Outcome<void> => {
      if (!recordExists(loaded) || !(await isReached(reach.right, loaded.state, id)))
        return E.left(notFound('Command', id));
      return isMet({ version: loaded.stored.version, lastModified: loaded.stored.at });
    };
    return doOnce(options, { body: [step, id, reason], reach: reach.right, index: ref.index }, async (on) => {
      const author = await requirePractitioner(on === store ? directory : directory.onStore(on), options);
      if (E.isLeft(author)) return author;
      return records.step(ref, { step, author: author.right, reason, on, requireRecord });
    });
  };

export const createChartSection = <
  Input extends CommandInput & object,
  Body extends { readonly kind: string },
>(
  environment: Environment,
  definition: CommandDefinition<Input, Body>,
): ChartSection<Input> => {
  const { recordDefinition, commandKinds, steps, schema } = definition;
  const { store } = environment;
  const { type } = recordDefinition;
  const records = createCommandRecords(environment, definition);
  const toEntry = createEntryWriter(definition);
  const doOnce = createDoOnce({ store, type }, records, toEntry);
  const parse = createFieldParser(schema, 'Command', environment.fields?.get(type));

  const load = async (id: string, limit: ChartLimit, ref: CommandRef | null) => {
    const reach = openReach(limit);
    if (E.isLeft(reach)) return reach;
    const loaded = await records.read(id);
    if (E.isLeft(loaded)) return loaded;
    const isFound = await isReached(reach.right, loaded.right.state, ref && commandId(ref));
    return isFound ? loaded : E.left(notFound(type, id));
  };

  return {
    kinds: commandKinds,
    steps,
    add: createAdd({ store, parse }, records, doOnce),
    step: createStep(store, records, doOnce),

    read: async (ref, limit) => {
      const { id, index } = ref;
      const loaded = await load(id, limit, ref);
      const isMissing = E.isLeft(loaded)
        ? loaded.left._tag === 'NotFound'
        : index >= loaded.right.state.commands.length;
      if (isMissing) return E.left(notFound('Command', commandId(ref)));
      return pipe(
        loaded,
        E.map(({ state, stored: { version, at } }) => toEntry({ record: state, index, version, at })),
      );
    },

    open: ({ state, version, at }) => {
      const record = JSON.parse(state) as ChartRecord<Body>;
      return (index) => (index in record.commands ? toEntry({ record, index, version, at }) : null);
    },

    commandsOf: async (id, limit) =>
      pipe(
        await load(id, limit, null),
        E.map(({ state, stored: { version, at } }) =>
          state.commands.map((_, index) => toEntry({ record: state, index, version, at })),
        ),
      ),
  };
};
