import * as E from 'fp-ts/lib/Either.js';
import type { Reports } from '../access/report-calls.ts';
import { createChartSection, requirePractitioner } from '../chart/chart-section.ts';
import { type ChartRecord, practitionerOnlyError, type StepAuthor } from '../chart/command.ts';
import { createCommandRecords, type StoredCommand } from '../chart/command-records.ts';
import { moveRecord, omitChartReferences } from '../chart/move-record.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import {
  type ClinicalError,
  invalidRequest,
  isFailure,
  type Outcome,
  otherChartError,
  relocateIssues,
} from '../errors.ts';
import { bodyIssue } from '../fhir/issues.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import {
  addNames,
  createRecordImporter,
  type ResourceImporter,
  requirePatient,
} from '../importer/record-importer.ts';
import type { EithersOf } from '../outcome.ts';
import { commitAsOne } from '../records/buffered-store.ts';
import {
  type ChartPredicate,
  isAuthorized,
  parseLimit,
  reachForUpdate,
  requireReached,
  requireWithinLimit,
  type WriteOptions,
  withoutMatching,
} from '../records/chart-limit.ts';
import { createOnceForKey, type IdempotencyOptions } from '../records/idempotency.ts';
import { type ResourceVersion, resourceVersionOf } from '../records/page.ts';
import { createPreconditionCheck, type Precondition } from '../records/precondition.ts';
import {
  createReadableResources,
  type ReadableResources,
  readReports,
  writtenVersion,
} from '../records/resource-reads.ts';
import { type LoadedRecord, missingRecord } from '../records/transact.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import type { StoredRecord } from '../store/port.ts';
import { createBodySchema, toGoalCommand, updateBodySchema } from './bodies.ts';
import { defineGoalCommands } from './commands.ts';
import { type Goal, type GoalCommandBody, type GoalRecord, goalSchema, stagedGoalSchema } from './model.ts';
import { defineGoalRecord, type GoalSearch, goalFacts, stagedGoalVersion } from './record.ts';
import { checkCommit, requireGoal } from './rules.ts';
import { createGoalSourceReader, createGoalToSource, nameGoalAuthors } from './source.ts';

/** Goals: read, and written by a server that serves their commands. */
export type Goals = ReadableResources<Goal, GoalSearch> & {
  /** The same with JSON texts as results. A write takes a body of any type, and checks it. */
  readonly asJson: GoalWrites;
};

/**
 * How a server writes goals: by the commands of the chart, from the bodies of requests.
 * Source: docs/http-interface.md#goal-commands.
 */
export type GoalWrites = {
  /**
   * Stages a goal with the status `proposed`, which cannot be read until it is committed. With the status `active`, it is also
   * committed by `by`. With an `idempotencyKey`, it is staged once, however often it is sent.
   * Errors: `InvalidRequest`, `RuleViolation`, `Forbidden`, `StoreFailure`.
   */
  readonly create: (body: unknown, options?: WriteOptions & IdempotencyOptions) => Promise<ResourceVersion>;
  /**
   * Commits a staged goal, by `by`. Each element of the body must have the value that was staged. A goal in the chart of another
   * patient is reported like one that does not exist.
   * Errors: `InvalidRequest`, `NotSupported`, `PreconditionFailed`, `RuleViolation`, `Forbidden`, `StoreFailure`.
   */
  readonly update: (
    id: string,
    body: unknown,
    options?: WriteOptions & Precondition,
  ) => Promise<ResourceVersion>;
};

const type = 'Goal';

/** The reports of the writes. */
export const goalWriteReports: Reports<GoalWrites> = {
  create: (_, user) => ({ interaction: 'create', type, user, written: writtenVersion(type) }),
  update: (id, _, user) => ({ interaction: 'update', type, id, user, written: writtenVersion(type) }),
};

/** Locates the issues of a command at the elements of its resource. */
const locateAtElements = relocateIssues((field) => (field === 'patientId' ? 'Goal.subject' : field));

/** Returns the practitioner who commits a goal. Nobody else can, whatever the body is. */
const requireCommitter = async (
  directory: DirectoryRecords,
  by: AuthorReference | null,
): Outcome<StepAuthor> => {
  const author = await requirePractitioner(directory, { by });
  return E.isLeft(author) && !isFailure(author.left) ? E.left(practitionerOnlyError) : author;
};

/** The goal that a write returns: as it is read, or as it was staged. */
const versionOf = ({ record, resource }: StoredCommand<GoalCommandBody>): ResourceVersion =>
  resource ?? stagedGoalVersion(record);

/** The same of a stored goal. */
const shownVersion = (stored: StoredRecord): ResourceVersion =>
  resourceVersionOf('Goal', stored) ?? stagedGoalVersion(JSON.parse(stored.state) as GoalRecord);

export const createGoalWrites = (
  environment: Environment,
  directory: DirectoryRecords,
): EithersOf<GoalWrites> => {
  const { store } = environment;
  const commands = createCommandRecords(environment, defineGoalCommands(environment));
  const parseCreate = createBodyParser(createBodySchema, 'Goal');
  const parseUpdate = createBodyParser(updateBodySchema, 'Goal');

  const create: EithersOf<GoalWrites>['create'] = async (body, options = {}) => {
    const { by = null, handling = 'lenient', authorize } = options;
    const sent = parseCreate(body, handling);
    if (E.isLeft(sent)) return sent;
    const once = createOnceForKey(options, {
      by,
      type: 'Goal',
      body,
      readStored: shownVersion,
    });
    if (E.isLeft(once)) return once;
    const command = toGoalCommand(sent.right);
    const { patientId, meta: labels = {} } = command;
    const within = requireWithinLimit(withoutMatching(options))(patientId);
    if (E.isLeft(within)) return within;
    const isReached = parseLimit(options, goalFacts, environment);
    if (E.isLeft(isReached)) return isReached;
    const addTo = async (directoryOn: DirectoryRecords): Outcome<ResourceVersion> => {
      if (sent.right.lifecycleStatus === 'proposed') {
        return E.map(versionOf)(
          await commands.add(directoryOn, command, { author: { by: null }, step: null, isListed: true }),
        );
      }
      const author = await requireCommitter(directoryOn, by);
      if (E.isLeft(author)) return author;
      return E.map(versionOf)(
        await commands.add(directoryOn, command, { author: author.right, step: 'commit', isListed: true }),
      );
    };
    const limit = authorize === undefined ? { ...options } : { within: patientId };
    if (
      authorize !== undefined &&
      !(await isAuthorized(authorize, { id: null, patientIds: [patientId], labels }))
    ) {
      return E.left(otherChartError);
    }
    const created = await commitAsOne(store, async (buffer) =>
      E.chain(requireReached(isReached.right))(
        await once.right(buffer, () => addTo(directory.onStore(buffer, limit))),
      ),
    );
    return E.isLeft(created) ? E.left(locateAtElements(created.left)) : created;
  };

  const update: EithersOf<GoalWrites>['update'] = async (id, body, options = {}) => {
    const { by = null, handling = 'lenient' } = options;
    const sent = parseUpdate(body, handling);
    if (E.isLeft(sent)) return sent;
    if (sent.right.id !== id) return E.left(invalidRequest(bodyIssue('id-differs', 'Goal.id')));
    const isMet = createPreconditionCheck(options);
    const requireStaged =
      (isVisible: ChartPredicate) =>
      (loaded: LoadedRecord<GoalRecord>): E.Either<ClinicalError, void> => {
        const goal = requireGoal(isVisible(loaded.stored?.patientId ?? null) ? loaded : missingRecord(id));
        if (E.isLeft(goal)) return goal;
        const { stored, state } = goal.right;
        const met = isMet({ version: stored.version, lastModified: stored.at });
        return E.isLeft(met) ? met : checkCommit(sent.right, state);
      };
    const limited = { facts: goalFacts, id, textOf: (stored: StoredRecord) => shownVersion(stored).json };
    const isVisible = await reachForUpdate(store, limited, options, environment);
    if (E.isLeft(isVisible)) return isVisible;
    const author = await requireCommitter(directory, by);
    if (E.isLeft(author)) return author;
    const committed = await commands.step(
      { type: 'Goal', id, index: 0 },
      { step: 'commit', author: author.right, requireRecord: requireStaged(isVisible.right) },
    );
    return E.map(versionOf)(committed);
  };

  return { create, update };
};

/** Imports goals into the chart. */
export const createGoalImporter = (environment: Environment): ResourceImporter =>
  createRecordImporter(environment)({
    recordDefinition: defineGoalRecord(environment),
    read: createGoalSourceReader(environment),
    toSource: createGoalToSource(environment.extensionBase),
    prepare: requirePatient('Goal.subject'),
    complete: addNames(nameGoalAuthors),
  });

export const goal: ResourceDefinition<'Goal', 'goals', Goal, Goals> = {
  ...goalFacts,
  name: 'goals',
  schema: goalSchema,
  stagedSchema: stagedGoalSchema,
  requests: {
    create: { body: () => createBodySchema, errorTags: ['InvalidRequest', 'RuleViolation'] },
    update: {
      body: () => updateBodySchema,
      errorTags: ['InvalidRequest', 'NotSupported', 'RuleViolation', 'PreconditionFailed'],
    },
  },
  defineRecord: defineGoalRecord,
  createService: (environment, { directory, includes }) => {
    const goals = createReadableResources<Goal>(environment, goalFacts, includes);
    return { ...goals, asJson: { ...goals.asJson, ...createGoalWrites(environment, directory) } };
  },
  reports: { ...readReports('Goal'), asJson: { ...readReports('Goal'), ...goalWriteReports } },
  writes: ['create', 'update'],
  createCommands: (environment) => createChartSection(environment, defineGoalCommands(environment)),
  defineImport: (environment) => ({
    importResource: createGoalImporter(environment),
    isKnownByIdentifier: true,
  }),
  move: (record: ChartRecord<GoalCommandBody>, { patientId }) => ({
    state: moveRecord(record, patientId, (body) =>
      body.kind === 'goal' ? { ...body, elements: omitChartReferences(body.elements) } : body,
    ),
    sideChanges: [],
  }),
};
