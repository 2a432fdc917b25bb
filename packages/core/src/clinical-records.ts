import * as TE from 'fp-ts/lib/TaskEither.js';
import { createAccessReporter, type ReportAccess } from './access/access-reporter.ts';
import { reportCalls } from './access/report-calls.ts';
import { type CareTeams, createCareTeams } from './care-team/care-teams.ts';
import { parseRoles } from './care-team/configured-roles.ts';
import { followDirectory } from './care-team/follow-directory.ts';
import { createCareTeamImporter } from './care-team/importer.ts';
import { createReadTeamVersions } from './care-team/read-team-versions.ts';
import { defineCareTeamRecord } from './care-team/record-definition.ts';
import { createTeamRecords } from './care-team/team-records.ts';
import { type ChangeFeed, createChangeFeed } from './change-feed.ts';
import { type Chart, createChart } from './chart/chart.ts';
import { type CommandEntry, createChartSection } from './chart/chart-section.ts';
import { type Copy, type CopyOptions, createCopyTo } from './copy/copy-to.ts';
import { type Corrections, createCorrections } from './corrections/corrections.ts';
import { reportCorrections } from './corrections/report-corrections.ts';
import { describe, type InterfaceDescription } from './description/description.ts';
import { createDirectory, type Directory } from './directory/directory.ts';
import { createDirectoryRecords } from './directory/directory-records.ts';
import { createHostLookup } from './directory/host-lookup.ts';
import { createReadReferenced } from './directory/read-resource.ts';
import { directoryRecordDefinitions } from './directory/record-definitions.ts';
import { createClock, type Environment } from './environment.ts';
import { createEverything } from './exporter/everything.ts';
import { createExporter, type Exporter } from './exporter/exporter.ts';
import type { ResourceType } from './fhir/resource-type.ts';
import { createTimeZone } from './fhir/time-zone.ts';
import { defineGoalCommands } from './goal/commands.ts';
import { createGoalWrites, type GoalWrites } from './goal/goal-writes.ts';
import { createGoalImporter } from './goal/importer.ts';
import type { Goal, GoalCommand } from './goal/model.ts';
import { defineGoalRecord } from './goal/record-definition.ts';
import { type GoalSearch, goalParameters, indexGoal } from './goal/search-parameters.ts';
import { defineImmunizationCommands } from './immunization/commands.ts';
import { createImmunizations, type Immunizations } from './immunization/immunizations.ts';
import { createImmunizationImporter } from './immunization/importer.ts';
import type { ImmunizationCommand } from './immunization/model.ts';
import { defineImmunizationRecord } from './immunization/record-definition.ts';
import { createDirectoryImporters } from './importer/directory-importers.ts';
import { createImporter, type Importer } from './importer/importer.ts';
import { type ClinicalRecordsOptions, checkOptions } from './options.ts';
import { createIncludes } from './provenance/include.ts';
import { createProvenances, type Provenances } from './provenance/provenances.ts';
import { createReadProvenances, type VersionReaders } from './provenance/read-provenances.ts';
import { createBeginGuard } from './records/begin-guard.ts';
import { correctionRecordDefinition } from './records/correction.ts';
import { idempotencyKeyRecordDefinition } from './records/idempotency.ts';
import { createReferenceIncludes } from './records/include-references.ts';
import { type IndexState, withIndexVersion } from './records/index-version.ts';
import { createJsonReads, type JsonReads, type ReadDefinition } from './records/json-reads.ts';
import { createIdSource, createUuid } from './records/new-id.ts';
import { createReadVersions } from './records/read-versions.ts';
import type { RecordDefinitions } from './records/record-definition.ts';
import { createResourceReads, type ResourceReads } from './records/resource-reads.ts';
import { createReindex, type Reindexed, type ReindexOptions } from './reindex/reindex.ts';
import { createResult, createResults, type Result, type TasksOf } from './result.ts';
import { defineOrderCommands } from './service-request/commands.ts';
import { createServiceRequestImporter } from './service-request/importer.ts';
import type { OrderCommand, ServiceRequest } from './service-request/model.ts';
import { defineServiceRequestRecord } from './service-request/record-definition.ts';
import {
  indexServiceRequest,
  type ServiceRequestSearch,
  serviceRequestParameters,
} from './service-request/search-parameters.ts';
import type { ClinicalStore, Transaction } from './store/port.ts';
import { createVerify, type Verification, type VerifyOptions } from './verify/verify.ts';

/** A command of any kind, as a host passes it to the chart. */
export type ChartCommandInput = OrderCommand | GoalCommand | ImmunizationCommand;

/** The kinds of command. @useDeclaredType */
export type ChartCommandKind = ChartCommandInput['kind'];

/** A command in a patient's chart. */
export interface ChartCommand extends CommandEntry<ChartCommandKind> {}

/** A type of resource that is only read. */
export type ReadableResources<Resource, Search> = ResourceReads<Resource, Search> & {
  /** The same with JSON texts as results. */
  readonly asJson: JsonReads<Search>;
};

/** Goals: read, and written by a server that serves their commands. */
export type Goals = ReadableResources<Goal, GoalSearch> & {
  /** The same with JSON texts as results. A write takes a body of any type, and checks it. */
  readonly asJson: GoalWrites;
};

/** How a server reports its requests. */
export type RecordsAccess = {
  /** Reports an access to `onAccess`, and returns the error that is the answer if that fails. */
  readonly report: ReportAccess;
  /** The same records. Their calls are not reported. */
  readonly unreported: ClinicalRecords;
};

/** The charts of a clinic's patients, and the directory that they refer to. */
export interface ClinicalRecords {
  /** Orders: imaging, laboratory work and referrals. They are read here and made in the `chart`. */
  readonly serviceRequests: ReadableResources<ServiceRequest, ServiceRequestSearch>;
  /** Goals of patients. They are read here and made in the `chart`; a server can also stage and commit them. */
  readonly goals: Goals;
  /** Care teams: one for each patient. */
  readonly careTeams: CareTeams;
  /** Immunizations. Those administered elsewhere can be created here, and all of them in the `chart`. */
  readonly immunizations: Immunizations;
  /** The author and the time of each version of these resources, as FHIR's Provenance. */
  readonly provenance: Provenances;
  /** The commands of the charts, for the screens of the host. */
  readonly chart: Chart<ChartCommandInput>;
  /** The patients, practitioners, organizations, encounters and notes of the host. */
  readonly directory: Directory;
  /** Corrections of charts by a person with the right to make them. */
  readonly corrections: Corrections;
  /** Imports resources of another system. */
  readonly importer: Importer;
  /** Exports the current resources, as the importer imports them. */
  readonly exporter: Exporter;
  /** Every committed version, in the order of the commits. */
  readonly changes: ChangeFeed;
  /**
   * Describes resources, request bodies and search parameters as JSON Schemas. Builds the description again at each
   * call.
   */
  readonly describe: () => InterfaceDescription;
  /**
   * Looks for damage, and for changes that were made without the library, while others read and write. It walks through
   * all versions in the order of their commits. It derives each current record from its state again, follows its
   * references, and counts totals. The options must be those under which the records were written. Errors:
   * `StoreFailure`.
   */
  readonly verify: (options?: VerifyOptions) => Result<Verification>;
  /**
   * Copies every version into another store, in the order of the commits, so that history and feed are the same there.
   * It holds some hundred versions at a time, and others may read and write meanwhile. The target must be empty, or have
   * what an earlier copy wrote: then it continues there. Both stores must count positions from 1, as those of this
   * library do. Errors: `StoreFailure`, and `InvalidRequest` (`damaged-records`, `other-records`).
   */
  readonly copyTo: (target: ClinicalStore, options?: CopyOptions) => Result<Copy>;
  /**
   * Gives all records the index entries of this version of the library, which searches by newer parameters need. Until
   * then, such a search is a `StoreFailure` (`outdated-index`). It makes no new versions, others may read and write
   * meanwhile, and an interrupted one is continued by the next. It returns at once if there is nothing to do. Stop processes
   * of an older version first: they write the index entries of that version. Errors: `StoreFailure`.
   *
   * @example
   * await records.reindex({ onProgress: ({ records }) => console.log(records) });
   */
  readonly reindex: (options?: ReindexOptions) => Result<Reindexed>;
  /**
   * The same records as a part of the host's transaction: their writes are committed or rolled back with it. Throws if
   * the transaction is not on the store's database. Its calls are not reported to `onAccess`, whose log may have to wait for
   * the end of the transaction.
   */
  readonly in: (transaction: Transaction) => ClinicalRecords;
  /** For a server that reports its requests itself, as the HTTP adapter does; null without `onAccess`. */
  readonly access: RecordsAccess | null;
}

const defaultSearchSteps = 3_000_000;

const requireSearchSteps = (steps = defaultSearchSteps): number => {
  if (typeof steps === 'number' && steps >= 1) return steps;
  throw new RangeError('searchSteps must be a number of 1 or more.');
};

/**
 * Creates the clinical records of a host on its store. Throws a TypeError for an option that is missing or has the
 * wrong type. Throws a RangeError for an unknown time zone, an invalid `extensionBase`, invalid `careTeamRoles`, or
 * `searchSteps` below 1.
 *
 * Every function that reads or writes returns a `Result`, which rejects with a `ClinicalRecordsError` if it is awaited.
 * `changes` and `all` throw the same error. `in` throws an Error. A function that calls `clock` or `newId` throws if
 * these throw, or if they return an invalid Date or id.
 *
 * @example
 * const records = createClinicalRecords({ store: createMemoryStore(), extensionBase, careTeamRoles: [] });
 */
export const createClinicalRecords = (options: ClinicalRecordsOptions): ClinicalRecords => {
  const unreported = createRecords(options, { isBegun: false });
  const { onAccess, clock = () => new Date() } = options;
  if (onAccess === undefined) return unreported;
  const report = createAccessReporter(onAccess, createClock(clock));
  const { serviceRequests, goals, careTeams, immunizations, provenance } = unreported;
  const { chart, directory, corrections, exporter } = unreported;
  return {
    ...unreported,
    serviceRequests: reportCalls(serviceRequests, { type: 'ServiceRequest', report }),
    goals: reportCalls(goals, { type: 'Goal', report }),
    careTeams: reportCalls(careTeams, { type: 'CareTeam', report }),
    immunizations: reportCalls(immunizations, { type: 'Immunization', report }),
    provenance: reportCalls(provenance, { type: 'Provenance', report }),
    chart: reportCalls(chart, { type: null, report }),
    directory: reportCalls(directory, { type: null, report }),
    corrections: reportCorrections(corrections, report),
    exporter: reportCalls(exporter, { type: 'Patient', report }),
    access: { report, unreported },
  };
};

const createRecords = (options: ClinicalRecordsOptions, indexState: IndexState): ClinicalRecords => {
  checkOptions(options);
  const { extensionBase, clock = () => new Date() } = options;
  const store = withIndexVersion(options.store, indexState);
  // The extensionBase becomes part of every stored resource.
  if (!/^[a-z][a-z\d+.-]+:[^\s?#]*[^\s?#/]$/i.test(extensionBase)) {
    throw new RangeError('extensionBase must be an absolute URL without a trailing slash.');
  }
  const environment: Environment = {
    store,
    now: createClock(clock),
    newId: options.newId === undefined ? createUuid : createIdSource(options.newId),
    zone: createTimeZone(options.timeZone ?? 'UTC'),
    extensionBase,
    searchSteps: requireSearchSteps(options.searchSteps),
    usCore: options.usCore ?? null,
  };
  const roles = parseRoles(options.careTeamRoles);
  const lookUp = options.resolve && createHostLookup(options.resolve, environment.now);
  const teams = createTeamRecords(environment);
  const follower = followDirectory(teams, environment);
  const directory = createDirectoryRecords(environment, { lookUp, follower });
  // An import renames members once a batch is committed.
  const importDirectory = createDirectoryRecords(environment, {
    lookUp,
    follower: { ...follower, onMember: () => TE.right([]) },
  });
  const importers = {
    ...createDirectoryImporters(environment),
    ServiceRequest: createServiceRequestImporter(environment),
    Goal: createGoalImporter(environment),
    Immunization: createImmunizationImporter(environment),
    CareTeam: createCareTeamImporter(environment, { teams, roles }),
  };
  const guardBegin = createBeginGuard(store);
  const readReferenced = createReadReferenced(directory);
  const readVersions: VersionReaders = {
    ServiceRequest: createReadVersions(store, 'ServiceRequest'),
    Goal: createReadVersions(store, 'Goal'),
    CareTeam: createReadTeamVersions(environment, { directory, teams }),
    Immunization: createReadVersions(store, 'Immunization'),
  };
  const readProvenances = createReadProvenances(environment, readVersions);
  const includesOf = (type: ResourceType) => ({
    ...createReferenceIncludes(type, readReferenced),
    ...createIncludes(readProvenances, type),
  });
  const careTeams = createCareTeams(environment, {
    ...{ directory, teams, roles },
    includes: includesOf('CareTeam'),
  });
  const immunizations = createImmunizations(environment, directory, includesOf('Immunization'));
  const chart = createChart<ChartCommandInput>(
    {
      ServiceRequest: createChartSection(environment, directory, defineOrderCommands(environment)),
      Goal: createChartSection(environment, directory, defineGoalCommands(environment)),
      Immunization: createChartSection(environment, directory, defineImmunizationCommands(environment)),
    },
    directory,
  );

  const createReadable = <Resource, Search extends object>(
    definition: Omit<ReadDefinition, 'includes'>,
  ): TasksOf<ReadableResources<Resource, Search>> => {
    const asJson = createJsonReads(environment, { ...definition, includes: includesOf(definition.type) });
    return { ...createResourceReads<Resource>(asJson), asJson };
  };

  const serviceRequests = createReadable<ServiceRequest, ServiceRequestSearch>({
    ...{ type: 'ServiceRequest', parameters: serviceRequestParameters, index: indexServiceRequest },
  });
  const goals = createReadable<Goal, GoalSearch>({
    ...{ type: 'Goal', parameters: goalParameters, index: indexGoal },
  });
  const goalWrites = createGoalWrites(environment, directory);
  const everything = createEverything(environment, {
    reads: {
      ServiceRequest: serviceRequests.asJson,
      Goal: goals.asJson,
      CareTeam: careTeams.asJson,
      Immunization: immunizations.asJson,
    },
    readReferenced,
  });

  const definitions: RecordDefinitions = {
    ...directoryRecordDefinitions,
    ServiceRequest: defineServiceRequestRecord(environment),
    Goal: defineGoalRecord(environment),
    CareTeam: defineCareTeamRecord(extensionBase),
    Immunization: defineImmunizationRecord(environment),
    IdempotencyKey: idempotencyKeyRecordDefinition,
    Correction: correctionRecordDefinition,
  };
  const corrections = createCorrections({ ...environment, directory, teams, definitions });
  const verify = createVerify(store, definitions);
  const copyTo = createCopyTo(store, definitions);
  const reindex = createReindex(store, definitions);

  return {
    serviceRequests: createResults<ReadableResources<ServiceRequest, ServiceRequestSearch>>(serviceRequests),
    goals: createResults<Goals>({
      ...goals,
      asJson: { ...goals.asJson, ...guardBegin(goalWrites, 'create', 'update') },
    }),
    careTeams: createResults<CareTeams>({
      ...guardBegin(careTeams, 'update', 'setParticipantStatus', 'removeAllParticipants'),
      asJson: guardBegin(careTeams.asJson, 'update'),
    }),
    immunizations: createResults<Immunizations>({
      ...guardBegin(immunizations, 'create', 'update'),
      asJson: guardBegin(immunizations.asJson, 'create', 'update'),
    }),
    provenance: createResults<Provenances>(createProvenances(environment, readProvenances)),
    chart: createResults<Chart<ChartCommandInput>>(
      guardBegin(chart, 'stage', 'commit', 'record', 'completeOrder', 'enterInError'),
    ),
    directory: createResults<Directory>(guardBegin(createDirectory(directory, follower), 'put')),
    corrections: createResults<Corrections>(
      guardBegin(corrections, 'moveToPatient', 'mergePatients', 'erase'),
    ),
    changes: createChangeFeed(store),
    describe: () => describe(extensionBase),
    verify: (verifyOptions) => createResult(verify(verifyOptions)),
    copyTo: (target, copyOptions) => createResult(copyTo(target, copyOptions)),
    importer: createResults<Importer>(
      guardBegin(
        createImporter(importDirectory, {
          importers,
          renameMember: (type, id) => follower.afterMember(store, type, id),
        }),
        'load',
      ),
    ),
    exporter: createResults<Exporter>(createExporter(environment, { everything, readProvenances })),
    reindex: (reindexOptions) => createResult(reindex(reindexOptions)),
    access: null,
    // A transaction may be rolled back, so it has a state of its own.
    in: (transaction) =>
      createRecords({ ...options, store: transaction.join(options.store) }, { ...indexState }),
  };
};
