import * as E from 'fp-ts/lib/Either.js';
import { createAccessReporter } from './access/access.ts';
import { type Reports, reportCalls } from './access/report-calls.ts';
import { createTeamFollower } from './care-team/follow-directory.ts';
import { createTeamRecords } from './care-team/team-records.ts';
import { createChangeFeed, readFeedEnd } from './changes/change-feed.ts';
import { type Chart, chartReports, createChart } from './chart/chart.ts';
import { createReasonReader } from './chart/command-records.ts';
import { commandFacts, listedCommandDefinition } from './chart/listed-command.ts';
import type { ChartCommandInput, ClinicalRecords, ServedResource } from './clinical-records.ts';
import { createCopyTo } from './copy/copy-to.ts';
import { type Corrections, correctionReports, createCorrections } from './corrections/corrections.ts';
import { createBodySchemas } from './description/body-schemas.ts';
import { describe } from './description/description.ts';
import { defineDirectoryRecords } from './directory/decide-entry.ts';
import {
  createDirectory,
  createOpenReferenced,
  type Directory,
  directoryReports,
} from './directory/directory.ts';
import { createDirectoryRecords } from './directory/directory-records.ts';
import { createHostLookup } from './directory/host-lookup.ts';
import { directoryFacts } from './directory/search.ts';
import { createEverything } from './exporter/everything.ts';
import { createExporter, type Exporter, exporterReports } from './exporter/exporter.ts';
import type { ResourceType } from './fhir/resource-type.ts';
import { createNoteFollower } from './immunization/immunization.ts';
import { createDirectoryImporters } from './importer/directory-importers.ts';
import { createImporter } from './importer/importer.ts';
import type { ImportDefinitions } from './importer/record-importer.ts';
import {
  type ClinicalRecordsOptions,
  checkOptions,
  createClock,
  createEnvironment,
  requireNode,
} from './options.ts';
import { type EithersOf, toPromise, toPromises } from './outcome.ts';
import { createProvenanceIds } from './provenance/model.ts';
import { createProvenances, type Provenances, provenanceReports } from './provenance/provenances.ts';
import { createIncludes, createProvenanceReader, noReasons } from './provenance/read.ts';
import type { Importer } from './public-errors.ts';
import { correctionFacts, correctionRecordDefinition } from './records/correction.ts';
import type { RecordDefinitions } from './records/definition.ts';
import { chartIdentifiersDefinition, idempotencyKeyRecordDefinition } from './records/idempotency.ts';
import { createReferenceIncludes } from './records/include.ts';
import type { JsonReads } from './records/json-reads.ts';
import { createVersionReader } from './records/past-versions.ts';
import { createIndexState, type IndexState, withSearchIndex } from './records/search-index.ts';
import { createBeginGuard } from './records/transact.ts';
import { createReindex } from './reindex/reindex.ts';
import type { AnyResource, Resources } from './resource-definition.ts';
import { resources as resourceDefinitions, type Services } from './resources.ts';
import { refuseNested, requireTransaction, runTransaction, watchCalls } from './transaction.ts';
import { createVerify } from './verify/verify.ts';

type GuardBegin = ReturnType<typeof createBeginGuard>;

type AnyService = { readonly asJson: Pick<EithersOf<JsonReads<object>>, 'all' | 'search'> };

/** Makes the functions of a service that write, and those of its `asJson`, ask the store whether they can begin. */
const guardWrites = (guardBegin: GuardBegin, service: AnyService, writes: readonly string[]): AnyService => {
  const guardIn = <Part extends object>(part: Part): Part =>
    guardBegin(part, ...(writes.filter((name) => name in part) as never[]));
  return { ...guardIn(service), asJson: guardIn(service.asJson) };
};

const toServedResource = (definition: AnyResource): ServedResource => {
  const { type, name, isOnePerPatient = false, requests, createCommands } = definition;
  const { create, update } = requests;
  return {
    type,
    name,
    isOnePerPatient,
    isOnlyImported: createCommands === null && create === undefined && update === undefined,
    writes: { ...(create && { create: create.errorTags }), ...(update && { update: update.errorTags }) },
  };
};

/** How the records of all types are indexed. */
export const createIndex = (
  { timeZone }: Pick<ClinicalRecordsOptions, 'timeZone'>,
  resources: Resources,
): IndexState =>
  createIndexState(
    [...Object.values(resources), ...Object.values(directoryFacts), commandFacts, correctionFacts],
    timeZone,
  );

/**
 * Creates the services on a store. `indexState` is shared by the calls on it. A test can add a type to the `resources`. In a
 * transaction of the host, `resolve` gets its `connection`.
 */
export const createRecords = <Connection>(
  options: ClinicalRecordsOptions<Connection>,
  indexState: IndexState,
  resources: Resources = resourceDefinitions,
  connection?: unknown,
): ClinicalRecords<Connection> => {
  const store = withSearchIndex(options.store, indexState);
  const environment = createEnvironment(options, store);
  const { extensionBase } = environment;
  const lookUp =
    options.resolve &&
    createHostLookup(options.resolve, environment.now, { timeout: options.resolveTimeout, connection });
  const teams = createTeamRecords(environment);
  const follower = { ...createTeamFollower(teams, environment), onNote: createNoteFollower(environment) };
  const entryDefinitions = defineDirectoryRecords(environment);
  const directory = createDirectoryRecords(environment, { definitions: entryDefinitions, lookUp, follower });
  // An import renames members once a batch is committed.
  const importDirectory = createDirectoryRecords(environment, {
    definitions: entryDefinitions,
    lookUp,
    follower: { ...follower, onMember: async () => E.right({ changes: [] }) },
  });
  const guardBegin = createBeginGuard(store);
  const openReferenced = createOpenReferenced(directory);
  const resourceList = Object.values(resources);
  const types = resourceList.map(({ type }) => type);
  /** The results of a function for the definition of each type, by the type. */
  const byType = <A>(create: (definition: AnyResource) => A): Readonly<Record<ResourceType, A>> =>
    Object.fromEntries(resourceList.map((definition) => [definition.type, create(definition)])) as Readonly<
      Record<ResourceType, A>
    >;

  const ids = createProvenanceIds(resourceList);
  const versions = byType(
    (definition) =>
      definition.createVersionReader?.(environment, directory) ??
      createVersionReader(environment, definition),
  );
  const reasons = byType(({ type, createCommands }) =>
    createCommands === null ? noReasons : createReasonReader(store, type),
  );
  const provenanceReader = createProvenanceReader(environment, { ids, facts: resources, versions, reasons });
  const servicesByType = byType((definition) => {
    const includes = {
      ...createReferenceIncludes(definition, openReferenced),
      ...createIncludes(provenanceReader, definition.type),
    };
    return definition.createService(environment, { directory, includes }) as AnyService;
  });
  const services = Object.fromEntries(
    resourceList.map(({ type, name, writes }) => [
      name,
      toPromises<object>(guardWrites(guardBegin, servicesByType[type], writes)),
    ]),
  ) as unknown as Services;
  const sections = resourceList.flatMap(({ type, createCommands }) =>
    createCommands === null ? [] : [[type, createCommands(environment)] as const],
  );
  const chart = createChart<ChartCommandInput>(
    environment,
    Object.fromEntries(sections) as Parameters<typeof createChart<ChartCommandInput>>[1],
    directory,
  );
  const everything = createEverything(environment, {
    reads: new Map(resourceList.map(({ type }) => [type, servicesByType[type].asJson])),
    openReferenced,
  });

  const definitions: RecordDefinitions = {
    ...entryDefinitions,
    ...byType(({ defineRecord }) => defineRecord(environment)),
    Command: listedCommandDefinition,
    IdempotencyKey: idempotencyKeyRecordDefinition,
    ChartIdentifiers: chartIdentifiersDefinition,
    Correction: correctionRecordDefinition,
  };
  const stored = { definitions, index: indexState };
  const corrections = createCorrections({ ...environment, directory, teams, definitions, resources });
  const directoryImporters = Object.entries(createDirectoryImporters(environment));
  const imports: ImportDefinitions = new Map([
    ...directoryImporters.map(([type, importResource]) => [type, { importResource }] as const),
    ...resourceList.map(
      ({ type, isOnePerPatient, defineImport }) =>
        [type, { ...defineImport(environment), isOnePerPatient }] as const,
    ),
  ]);

  return {
    ...services,
    resources: resourceList.map(toServedResource),
    provenance: toPromises<Provenances>(createProvenances(environment, { ids, reader: provenanceReader })),
    chart: toPromises<Chart<ChartCommandInput>>({
      ...guardBegin(chart, 'stage', 'commit', 'record', 'completeOrder', 'discard', 'enterInError'),
      asJson: guardBegin(chart.asJson, 'create', 'step'),
    }),
    directory: toPromises<Directory>(guardBegin(createDirectory(environment, directory, follower), 'put')),
    corrections: toPromises<Corrections>(guardBegin(corrections, 'moveToPatient', 'mergePatients', 'erase')),
    changes: createChangeFeed(store, types),
    feedEnd: toPromise(() => readFeedEnd(store)),
    describe: () => describe(resources, extensionBase),
    bodies: createBodySchemas(resources, extensionBase),
    verify: toPromise(createVerify(store, stored)),
    copyTo: toPromise(createCopyTo(store, stored)),
    importer: toPromises(
      guardBegin(
        createImporter(importDirectory, {
          imports,
          renameMember: (type, id) => follower.afterMember(store, type, id),
        }),
        'load',
      ),
    ) as Importer,
    exporter: toPromises<Exporter>(
      createExporter(environment, { resources, everything, provenances: provenanceReader }),
    ),
    reindex: toPromise(createReindex(store, stored)),
    access: null,
    transaction: (work) =>
      runTransaction(
        store,
        // Its searches and its commits are those of the store, which looks after the index.
        (transactionStore) =>
          createRecords(
            { ...options, store: transactionStore },
            { ...indexState, indexed: indexState.digests, hasWritten: true },
            resources,
          ),
        work,
      ),
    // A transaction may be rolled back, so it has a state of its own.
    in: (transaction) => {
      requireTransaction(transaction);
      return {
        ...watchCalls(
          createRecords(
            { ...options, store: transaction.join(options.store) },
            { ...indexState },
            resources,
            transaction.connection,
          ),
          transaction,
        ),
        transaction: refuseNested,
      };
    },
  };
};

const reportsOf = (definitions: Resources) =>
  Object.fromEntries(
    Object.values(definitions).map(({ name, reports }) => [name, reports]),
  ) as Reports<Services>;

/** The reports of all functions that can name a user. */
const createReports = (
  definitions: Resources,
): Reports<Omit<ClinicalRecords, 'access' | 'bodies' | 'in' | 'transaction'>> => ({
  ...reportsOf(definitions),
  provenance: provenanceReports,
  chart: chartReports,
  directory: directoryReports,
  corrections: correctionReports,
  exporter: exporterReports,
});

/** The records of a host. If it has an `onAccess`, their calls that name a user are reported to it. */
export const reportRecords = <Connection>(
  unreported: ClinicalRecords<Connection>,
  { onAccess, clock = () => new Date() }: Pick<ClinicalRecordsOptions, 'onAccess' | 'clock'>,
  definitions: Resources = resourceDefinitions,
): ClinicalRecords<Connection> => {
  if (onAccess === undefined) return unreported;
  const report = createAccessReporter(onAccess, createClock(clock));
  const reported = reportCalls(unreported, createReports(definitions), report);
  return { ...unreported, ...reported, access: { report, unreported } };
};

/**
 * Creates the clinical records of a host on its store. Throws a TypeError for an option that is missing, has the wrong
 * type, or is unknown. Throws a RangeError for an unknown time zone, an invalid `extensionBase`, invalid `careTeamRoles`, and
 * a number out of its range. Throws an Error on a Node that is older than `engines` in package.json allows.
 *
 * Every function that reads or writes begins when it is called, and returns a promise. It rejects with a
 * `ClinicalRecordsError`. `changes` and `all` throw the same error. `in` throws an Error. A function that calls `clock` or
 * `newId` rejects if these throw, or if they return an invalid Date or id.
 *
 * @example
 * const records = createClinicalRecords({ store: createMemoryStore(), extensionBase, careTeamRoles: [] });
 */
export const createClinicalRecords = <Connection>(
  options: ClinicalRecordsOptions<Connection>,
): ClinicalRecords<Connection> => {
  requireNode();
  checkOptions(options);
  return reportRecords(createRecords(options, createIndex(options, resourceDefinitions)), options);
};
