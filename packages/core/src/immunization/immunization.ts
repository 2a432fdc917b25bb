import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { WriteOptions } from '../access/chart-limit.ts';
import {
  bodyErrorTags,
  createByBody,
  createServiceTable,
  createWritableResources,
  updateByBody,
} from '../chart/body-writes.ts';
import { createChartSection } from '../chart/chart-section.ts';
import { createCommandRecords, type StoredCommand } from '../chart/command-records.ts';
import { moveRecord, omitChartReferences } from '../chart/move-record.ts';
import { addToNote, type DirectoryFollower, type DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Issue, notFound, ruleViolation } from '../errors.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { createFieldParser } from '../host-fields/read-fields.ts';
import type { EithersOf } from '../outcome.ts';
import type { ConditionalOptions, IdempotencyOptions } from '../records/idempotency.ts';
import { type IncludeTable, lookUpInGroups } from '../records/include.ts';
import { createJsonReads, type JsonReads } from '../records/json-reads.ts';
import type { ResourceVersion } from '../records/page.ts';
import type { ResourceReads } from '../records/resource-reads.ts';
import {
  createChange,
  ensureNotBackdated,
  type LoadedRecord,
  load,
  missingRecord,
  type Precondition,
  recordExists,
} from '../records/transact.ts';
import type { MovedRecord, MoveTarget, ResourceDefinition } from '../resource-definition.ts';
import { withFieldParameters } from '../search/field-parameters.ts';
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

const type = 'Immunization';

const writes = ['create', 'update'] as const;

const requireResource = ({
  record,
  resource,
  isUnwritten,
  warnings,
}: StoredCommand<ImmunizationCommandBody>): E.Either<ClinicalError, ResourceVersion> =>
  resource === null
    ? E.left(notFound('Immunization', record.id))
    : E.right({ ...resource, ...(isUnwritten && { isUnwritten }), ...(warnings && { warnings }) });

/** The error of a statement that breaks rules by its body, with the issues that the chart finds. Any other error precedes them. */
const addIssues = (issues: readonly Issue[], placed: E.Either<ClinicalError, unknown>): ClinicalError => {
  if (E.isRight(placed)) return ruleViolation(issues);
  const { left } = placed;
  return left._tag === 'RuleViolation' ? ruleViolation([...issues, ...left.issues]) : left;
};

const createImmunizations = (
  environment: Environment,
  directory: DirectoryRecords,
  includes: () => IncludeTable,
): EithersOf<Immunizations> => {
  const chart = createCommandRecords(environment, defineImmunizationCommands(environment));
  const placeCommand = createCommandPlacer(environment);
  const facts = withFieldParameters(immunizationFacts, environment.fields);
  const context = { environment, directory, facts };
  const fields = environment.fields?.get(type);
  const parseCreate = createFieldParser(createBodySchema(environment.extensionBase), type, fields);

  const create = createByBody(context, {
    parse: (body, handling) =>
      pipe(
        parseCreate(body, handling),
        E.map((sent) => ({ sent, statement: toStatement(sent) })),
      ),
    requireCreatable: ({ sent }) => requireCreatable(sent),
    chartOf: ({ statement }) => statement,
    make: async (on, { sent, statement }, by) => {
      const issues = checkCreate(sent);
      if (issues.length > 0) {
        const placed = await placeCommand(on, statement, environment.now());
        return E.left(locateAtElements(addIssues(issues, placed)));
      }
      const recorded = await chart.add(on, statement, { author: { by }, step: 'commit' });
      return pipe(recorded, E.chain(requireResource), E.mapLeft(locateAtElements));
    },
  });

  const update = updateByBody(context, {
    parse: createFieldParser(updateBodySchema(environment.extensionBase), type, fields),
    requireUpdatable: requireRetraction,
    change: async (on, id, sent, { by, isReached, requireVersion }) => {
      const requireRecord = (loaded: LoadedRecord<ImmunizationRecord>) => {
        const isShown = isReached(loaded.stored?.patientId ?? null);
        const statement = requireStatement(isShown ? loaded : missingRecord(id));
        if (E.isLeft(statement)) return statement;
        const { stored, state } = statement.right;
        const required = requireVersion({ version: stored.version, lastModified: stored.at });
        return E.isLeft(required) ? required : requireSameReferences(sent, state);
      };
      const command = { type, id, index: 0 } as const;
      const marked = await chart.step(command, {
        step: 'enterInError',
        author: { by },
        on: on.store,
        requireRecord,
      });
      return E.isLeft(marked) ? marked : requireResource(marked.right);
    },
  });

  const json = createJsonReads(environment, { facts, includes });
  return createWritableResources<Immunization, (typeof writes)[number]>(json, { create, update }, writes);
};

const withEncounter = (record: ImmunizationRecord, encounterId: string): ImmunizationRecord => ({
  ...record,
  commands: record.commands.map((command) => ({ ...command, body: { ...command.body, encounterId } })),
});

/** Gives the encounter of a note to the immunizations in the note. One that was moved or erased is not in it any more. */
export const createNoteFollower = (
  environment: Pick<Environment, 'zone' | 'extensionBase' | 'fields'>,
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

export const immunization: ResourceDefinition<'Immunization', 'immunizations', Immunization, Immunizations> =
  {
    ...immunizationFacts,
    name: 'immunizations',
    schema: immunizationSchema,
    requests: {
      create: { body: createBodySchema, errorTags: bodyErrorTags },
      update: { body: updateBodySchema, errorTags: bodyErrorTags },
    },
    fieldElements: [
      'vaccineCode',
      'site',
      'route',
      'doseQuantity',
      'manufacturer',
      'location',
      'reportOrigin',
      'fundingSource',
    ],
    isEnd: () => false,
    defineRecord: defineImmunizationRecord,
    createService: (environment, { directory, includes }) =>
      createImmunizations(environment, directory, includes),
    functions: createServiceTable(type, writes),
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
