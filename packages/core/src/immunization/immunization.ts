import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type WriteOptions, writeForms } from '../access/chart-limit.ts';
import { createChartSection } from '../chart/chart-section.ts';
import { createCommandRecords, type StoredCommand } from '../chart/command-records.ts';
import { moveRecord, omitChartReferences } from '../chart/move-record.ts';
import { addToNote, type DirectoryFollower, type DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import {
  type ClinicalError,
  type Issue,
  invalidRequest,
  notFound,
  type Outcome,
  otherChartError,
  outOfReachError,
  ruleViolation,
} from '../errors.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { bodyIssue } from '../fhir/issues.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import { anything, id } from '../forms.ts';
import type { FunctionTable } from '../open-service.ts';
import type { EithersOf } from '../outcome.ts';
import { commitAsOne } from '../records/buffered-store.ts';
import {
  type ConditionalOptions,
  conditionalForms,
  createIfNoneExists,
  createOnceForKey,
  type IdempotencyOptions,
  idempotencyForms,
} from '../records/idempotency.ts';
import { type IncludeTable, lookUpInGroups } from '../records/include.ts';
import { createJsonReads, type JsonReads } from '../records/json-reads.ts';
import { type ResourceVersion, reportWritten } from '../records/page.ts';
import { createPreconditionCheck, type Precondition, preconditionForms } from '../records/precondition.ts';
import { type ChartPredicate, openReach } from '../records/reach.ts';
import {
  createReadTables,
  createResourceReads,
  parseResource,
  type ResourceReads,
} from '../records/resource-reads.ts';
import {
  createChange,
  ensureNotBackdated,
  type LoadedRecord,
  load,
  missingRecord,
  recordExists,
} from '../records/transact.ts';
import type { MovedRecord, MoveTarget, ResourceDefinition } from '../resource-definition.ts';
import type { ClinicalStore } from '../store/port.ts';
import {
  createBodySchema,
  type ImmunizationCreateBody,
  type ImmunizationUpdateBody,
  toStatement,
  updateBodySchema,
} from './bodies.ts';
import { createCommandPlacer, defineImmunizationCommands } from './commands.ts';
import {
  type Immunization,
  type ImmunizationCommand,
  type ImmunizationCommandBody,
  type ImmunizationRecord,
  immunizationCommandSchema,
  immunizationSchema,
} from './model.ts';
import { defineImmunizationRecord, type ImmunizationSearch, immunizationFacts } from './record.ts';
import {
  checkCreate,
  locateAtElements,
  requireCreatable,
  requireRetraction,
  requireSameReferences,
  requireStatement,
} from './rules.ts';
import { createImmunizationImporter, otherVersions } from './source.ts';

/**
 * How immunizations are written: a write takes a body and returns an `A`.
 * Source: docs/http-interface.md#immunization.
 */
export type ImmunizationWrites<A, ForCreate = unknown, ForUpdate = unknown> = {
  /**
   * Records an immunization that was administered elsewhere, as an Immunization Statement command. With an `idempotencyKey`, it
   * is recorded once, however often it is sent. With `ifNoneExist`, the result is the one that the patient has with that identifier.
   * Errors: `InvalidRequest`, `NotSupported`, `PreconditionFailed`, `RuleViolation`, `Forbidden`, `StoreFailure`.
   */
  readonly create: (
    body: ForCreate,
    options?: WriteOptions & IdempotencyOptions & ConditionalOptions,
  ) => Promise<A>;
  /**
   * Marks a statement as entered in error, and processes nothing else. A patient, a note or an encounter that is sent must be the
   * statement's own. A statement in the chart of another patient is reported like one that does not exist.
   * Errors: `InvalidRequest`, `NotSupported`, `PreconditionFailed`, `RuleViolation`, `Forbidden`, `StoreFailure`.
   */
  readonly update: (id: string, body: ForUpdate, options?: WriteOptions & Precondition) => Promise<A>;
};

/** Immunizations: read, and written through the interface. */
export type Immunizations = ResourceReads<Immunization, ImmunizationSearch> &
  ImmunizationWrites<Immunization, ImmunizationCreateBody, ImmunizationUpdateBody> & {
    /** The same with JSON texts as results. A write takes a body of any type, and checks it. */
    readonly asJson: JsonReads<ImmunizationSearch> & ImmunizationWrites<ResourceVersion>;
  };

type JsonWrites = ImmunizationWrites<ResourceVersion>;

const type = 'Immunization';

const reads = createReadTables(type);

const writes: FunctionTable<ImmunizationWrites<unknown>> = {
  create: {
    kind: 'write',
    takes: [anything],
    options: { ...writeForms, ...idempotencyForms, ...conditionalForms },
    access: { interaction: 'create', type },
  },
  update: {
    kind: 'write',
    takes: [id, anything],
    options: { ...writeForms, ...preconditionForms },
    access: { interaction: 'update', type },
  },
};

const immunizationFunctions: FunctionTable<Immunizations> = {
  ...reads,
  ...writes,
  asJson: { ...reads.asJson, ...writes },
};

/** The author of a statement, the patients whose encounters and notes the author sees, and the issues of the body. */
type CreateContext = {
  readonly issues: readonly Issue[];
  readonly by: AuthorReference | null;
  readonly patientIds: ReadonlySet<string> | null;
};

const requireResource = ({
  record,
  resource,
  isUnwritten,
}: StoredCommand<ImmunizationCommandBody>): E.Either<ClinicalError, ResourceVersion> =>
  resource === null
    ? E.left(notFound('Immunization', record.id))
    : E.right({ ...resource, ...(isUnwritten && { isUnwritten }) });

const createImmunizations = (
  environment: Environment,
  directory: DirectoryRecords,
  includes: () => IncludeTable,
): EithersOf<Immunizations> => {
  const chart = createCommandRecords(environment, defineImmunizationCommands(environment));
  const placeCommand = createCommandPlacer(environment);
  const parseCreate = createBodyParser(createBodySchema(environment.extensionBase), 'Immunization');
  const parseUpdate = createBodyParser(updateBodySchema(environment.extensionBase), 'Immunization');

  const recordStatement = async (
    directoryOn: DirectoryRecords,
    statement: ImmunizationCommand,
    by: AuthorReference | null,
  ): Outcome<ResourceVersion> => {
    const recorded = await chart.add(directoryOn, statement, { author: { by }, step: 'commit' });
    return E.isLeft(recorded) ? recorded : requireResource(recorded.right);
  };

  /** Records a statement in a buffered store. If a rule forbids it, the error also has the issues that the chart finds. */
  const recordBuffered = async (
    buffer: ClinicalStore,
    statement: ImmunizationCommand,
    { issues, by, patientIds }: CreateContext,
  ): Outcome<ResourceVersion> => {
    const directoryOn = directory.onStore(buffer, patientIds);
    if (issues.length === 0) return recordStatement(directoryOn, statement, by);
    const placed = await placeCommand(directoryOn, statement, environment.now());
    if (E.isRight(placed)) return E.left(ruleViolation(issues));
    return E.left(
      placed.left._tag === 'RuleViolation' ? ruleViolation([...issues, ...placed.left.issues]) : placed.left,
    );
  };

  const createVersion: EithersOf<JsonWrites>['create'] = async (body, options = {}) => {
    const { by = null, handling = 'lenient' } = options;
    const sent = parseCreate(body, handling);
    if (E.isLeft(sent)) return sent;
    const once = createOnceForKey(options, { by, type: 'Immunization', body });
    if (E.isLeft(once)) return once;
    const creatable = requireCreatable(sent.right);
    if (E.isLeft(creatable)) return creatable;
    const opened = openReach(options, { ...environment, facts: immunizationFacts });
    if (E.isLeft(opened)) return opened;
    const reach = opened.right;
    const statement = toStatement(sent.right);
    const { patientId, identifier: identifiers } = statement;
    if (!reach.admits(patientId)) return E.left(otherChartError);
    const unlessExisting = createIfNoneExists(immunizationFacts, options, { by, patientId, identifiers });
    if (E.isLeft(unlessExisting)) return unlessExisting;
    const issues = checkCreate(sent.right);
    const { idempotencyKey, ifNoneExist } = options;
    const patientIds = reach.asks ? new Set([patientId]) : reach.patientIds;
    const record = (): Outcome<ResourceVersion> => {
      // Without a host to ask, a limit, a key or a condition, the statement is all that can be written: nothing has to be kept back.
      const isOnce = idempotencyKey !== undefined || ifNoneExist !== undefined;
      const isSingleWrite = !directory.canAskHost && !reach.isLimited && !isOnce;
      const context = { issues, by, patientIds };
      return isSingleWrite && issues.length === 0
        ? recordStatement(directory, statement, by)
        : commitAsOne(environment.store, async (buffer) =>
            E.chain(reach.created)(
              await once.right(buffer, () =>
                unlessExisting.right(buffer, () => recordBuffered(buffer, statement, context)),
              ),
            ),
          );
    };
    const isAllowed = await reach.allows(patientId, { id: null, labels: statement.meta });
    if (!isAllowed) return E.left(otherChartError);
    const recorded = await record();
    if (E.isLeft(recorded)) return E.left(locateAtElements(recorded.left));
    const { id, json: resource, isExisting } = recorded.right;
    const isHidden = isExisting === true && !(await reach.shows({ id, patientId, resource }));
    return isHidden ? E.left(outOfReachError) : recorded;
  };

  const updateVersion: EithersOf<JsonWrites>['update'] = async (id, body, options = {}) => {
    const { by = null, handling = 'lenient' } = options;
    const sent = parseUpdate(body, handling);
    if (E.isLeft(sent)) return sent;
    if (sent.right.id !== id) return E.left(invalidRequest(bodyIssue('id-differs', 'Immunization.id')));
    const retraction = requireRetraction(sent.right);
    if (E.isLeft(retraction)) return retraction;
    const isMet = createPreconditionCheck(options);
    const requireWithin = (isWithin: ChartPredicate) => (loaded: LoadedRecord<ImmunizationRecord>) => {
      const isVisible = isWithin(loaded.stored?.patientId ?? null);
      const statement = requireStatement(isVisible ? loaded : missingRecord(id));
      if (E.isLeft(statement)) return statement;
      const { stored, state } = statement.right;
      const met = isMet({ version: stored.version, lastModified: stored.at });
      return E.isLeft(met) ? met : requireSameReferences(sent.right, state);
    };
    const reach = openReach(options, { ...environment, facts: immunizationFacts });
    if (E.isLeft(reach)) return reach;
    const within = await reach.right.forUpdate(environment.store, { type, id });
    if (E.isLeft(within)) return within;
    const requireRecord = requireWithin(within.right);
    const marked = await chart.step(
      { type: 'Immunization', id, index: 0 },
      { step: 'enterInError', author: { by }, requireRecord },
    );
    return E.isLeft(marked) ? marked : requireResource(marked.right);
  };

  const { create, update }: EithersOf<JsonWrites> = {
    create: (body, options = {}) => reportWritten(type, options, createVersion(body, options)),
    update: (id, body, options = {}) => reportWritten(type, options, updateVersion(id, body, options)),
  };
  const json = createJsonReads(environment, {
    facts: immunizationFacts,
    includes,
  });
  return {
    ...createResourceReads<Immunization>(json),
    create: async (body, options) => pipe(await create(body, options), E.map(parseResource<Immunization>)),
    update: async (id, body, options) =>
      pipe(await update(id, body, options), E.map(parseResource<Immunization>)),
    asJson: { ...json, create, update },
  };
};

const withEncounter = (record: ImmunizationRecord, encounterId: string): ImmunizationRecord => ({
  ...record,
  commands: record.commands.map((command) => ({ ...command, body: { ...command.body, encounterId } })),
});

/** Gives the encounter of a note to the immunizations in the note. One that was moved or erased is not in it any more. */
export const createNoteFollower = (
  environment: Pick<Environment, 'zone' | 'extensionBase'>,
): DirectoryFollower['onNote'] => {
  const definition = defineImmunizationRecord(environment);
  return async (store, { before, after }, at) => {
    const encounterId = after?.encounterId ?? null;
    if (before === null || encounterId === null) return E.right([]);
    const { id, immunizationIds = [] } = before;
    const read = (immunizationId: string) => load(store, definition, immunizationId);
    const loaded = await lookUpInGroups(read)(immunizationIds);
    if (E.isLeft(loaded)) return loaded;
    const inNote = loaded.right
      .filter(recordExists)
      .filter(({ state }) => state.commands.some(({ body }) => body.noteId === id));
    return E.right(
      inNote.map((record) => {
        const authorship = ensureNotBackdated(record, { at, by: null });
        return createChange(definition, record, withEncounter(record.state, encounterId), authorship);
      }),
    );
  };
};

/** An immunization is always in a note, so it gets a new one in the other chart. */
const move = (record: ImmunizationRecord, { patientId, at, newId }: MoveTarget): MovedRecord => {
  const noteId = newId();
  const dateOfService = formatInstant(at);
  const note = { id: noteId, patientId, encounterId: null, title: null, dateOfService };
  return {
    state: moveRecord(record, patientId, (body) => ({
      ...body,
      elements: omitChartReferences(body.elements),
      note: omitChartReferences(body.note),
      noteId,
      encounterId: null,
    })),
    sideChanges: addToNote(record.id, { note, isNew: true }, at),
  };
};

/** The errors of a write by a body. */
const errorTags = ['InvalidRequest', 'NotSupported', 'RuleViolation', 'PreconditionFailed'] as const;

export const immunization: ResourceDefinition<'Immunization', 'immunizations', Immunization, Immunizations> =
  {
    ...immunizationFacts,
    name: 'immunizations',
    schema: immunizationSchema,
    requests: {
      create: { body: createBodySchema, errorTags },
      update: { body: updateBodySchema, errorTags },
    },
    defineRecord: defineImmunizationRecord,
    createService: (environment, { directory, includes }) =>
      createImmunizations(environment, directory, includes),
    functions: immunizationFunctions,
    commandSchema: immunizationCommandSchema,
    createCommands: (environment) => createChartSection(environment, defineImmunizationCommands(environment)),
    people: ['performer', 'note'],
    otherVersions,
    defineImport: (environment) => ({
      importResource: createImmunizationImporter(environment),
      isKnownByIdentifier: true,
      requiresEncounter: true,
    }),
    move,
  };
