import * as TE from 'fp-ts/lib/TaskEither.js';
import { type CareTeams, createCareTeams } from './care-team/care-teams.ts';
import { parseRoles } from './care-team/configured-roles.ts';
import { followDirectory } from './care-team/follow-directory.ts';
import type { CareTeamRole } from './care-team/model.ts';
import { defineCareTeamRecord } from './care-team/record-definition.ts';
import { type ChangeFeed, createChangeFeed } from './change-feed.ts';
import { type Chart, createChart } from './chart/chart.ts';
import { createChartSection } from './chart/chart-section.ts';
import { checkOptions } from './check-options.ts';
import { describe, type InterfaceDescription } from './description/description.ts';
import { createDirectory, type Directory } from './directory/directory.ts';
import { createHostLookup, type Resolver } from './directory/host-lookup.ts';
import { directoryRecordDefinitions } from './directory/record-definitions.ts';
import { createClock, type Environment } from './environment.ts';
import { createTimeZone } from './fhir/time-zone.ts';
import { defineGoalCommands } from './goal/commands.ts';
import type { Goal, GoalCommand } from './goal/model.ts';
import { goalRecordDefinition } from './goal/record-definition.ts';
import { goalParameters } from './goal/search-parameters.ts';
import { defineImmunizationCommands } from './immunization/commands.ts';
import { createImmunizations, type Immunizations } from './immunization/immunizations.ts';
import type { ImmunizationCommand } from './immunization/model.ts';
import { defineImmunizationRecord } from './immunization/record-definition.ts';
import { createImporter, type Importer } from './importer/importer.ts';
import { createResourceImporters } from './importer/resource-importers.ts';
import { createBeginGuard } from './records/begin-guard.ts';
import { idempotencyKeyRecordDefinition } from './records/idempotency.ts';
import { createJsonReads, type JsonReads, type ReadDefinition } from './records/json-reads.ts';
import { createIdSource, createUuid } from './records/new-id.ts';
import { createResourceReads, type ResourceReads } from './records/resource-reads.ts';
import { createResult, createResults, type Result, type TasksOf } from './result.ts';
import { defineOrderCommands } from './service-request/commands.ts';
import type { OrderCommand, ServiceRequest } from './service-request/model.ts';
import { defineServiceRequestRecord } from './service-request/record-definition.ts';
import { serviceRequestParameters } from './service-request/search-parameters.ts';
import type { ClinicalStore, Transaction } from './store/port.ts';
import { createVerify, type Verification, type VerifyOptions } from './verify/verify.ts';

/** A command of any kind, as a host gives it to the chart. */
export type ChartCommandInput = OrderCommand | GoalCommand | ImmunizationCommand;

/** What a host gives: its store and its configuration; the rest has defaults. */
export type ClinicalRecordsOptions = {
  readonly store: ClinicalStore;
  /** The namespace of the extensions of the interface: an absolute URL, without a slash at its end. */
  readonly extensionBase: string;
  /** The roles that a care team knows: each once by its system and code, and none of its texts empty. */
  readonly careTeamRoles: readonly CareTeamRole[];
  /** Asked for patients, practitioners … that are mentioned before they were put into the directory. */
  readonly resolve?: Resolver;
  /** What time it is; the system's, if this is not given. */
  readonly clock?: () => Date;
  /** An id of FHIR that nothing has yet; a UUID of version 7, which begins with the time, if this is not given. */
  readonly newId?: () => string;
  /** The zone, such as `America/New_York`, of dates, and of times in a search that have no offset; UTC, if this is not given. */
  readonly timeZone?: string;
  /**
   * The most steps of one search: 3,000,000, if this is not given. A step is a record that the store looks at, or a condition
   * that it compares with one; a million take about half a second. A search that needs more is refused as `TooCostly`.
   */
  readonly searchSteps?: number;
};

/** A type of resource that is read, as objects or as the JSON text that is stored. */
export type ReadableResources<Resource> = ResourceReads<Resource> & { readonly asJson: JsonReads };

/** The charts of a clinic's patients. */
export type ClinicalRecords = {
  readonly serviceRequests: ReadableResources<ServiceRequest>;
  readonly goals: ReadableResources<Goal>;
  readonly careTeams: CareTeams;
  readonly immunizations: Immunizations;
  readonly chart: Chart<ChartCommandInput>;
  readonly directory: Directory;
  readonly importer: Importer;
  /** What was committed, version by version, in the order of the commits. */
  readonly changes: ChangeFeed;
  /** What is read and what is sent, as search parameters and JSON Schemas. Made anew at each call. */
  readonly describe: () => InterfaceDescription;
  /**
   * Looks for damage and for changes behind the back of the library, while others read and write: walks through all versions in
   * the order of their commits, derives each record as it stands from its state, follows references, and counts totals.
   * The options must be those under which the records were written. Errors: `StoreFailure`.
   */
  readonly verify: (options?: VerifyOptions) => Result<Verification>;
  /**
   * The same records as a part of the host's transaction: what is written lands with it, or is undone with it.
   * Throws where the transaction is not on the database of the store.
   */
  readonly in: (transaction: Transaction) => ClinicalRecords;
};

const defaultSearchSteps = 3_000_000;

const requireSearchSteps = (steps = defaultSearchSteps): number => {
  if (typeof steps === 'number' && steps >= 1) return steps;
  throw new RangeError('searchSteps must be a number of 1 or more.');
};

/**
 * Wires the rules to a store. Throws a TypeError for an option that is missing or of another type, and a RangeError for a time zone that is not known, an `extensionBase` that is no such URL,
 * `careTeamRoles` that cannot be roles, and `searchSteps` below 1.
 *
 * Every function that reads or writes returns a `Result`, which rejects with a `ClinicalRecordsError` where it is awaited.
 * `changes` and `all` throw the same. `in` throws an Error, and so does what runs `clock` or `newId` where that throws, or
 * makes what is no time or no id.
 *
 * @example
 * const records = createClinicalRecords({ store: createMemoryStore(), extensionBase, careTeamRoles: [] });
 */
export const createClinicalRecords = (options: ClinicalRecordsOptions): ClinicalRecords => {
  checkOptions(options);
  const { store, extensionBase, clock = () => new Date() } = options;
  // It would stand in what is stored.
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
    roles: parseRoles(options.careTeamRoles),
  };
  const lookUp = options.resolve && createHostLookup(options.resolve, environment.now);
  const directory = createDirectory(environment, { lookUp, createFollower: followDirectory });

  /** What takes in the resources of another system, on a store of its own; names follow members once a batch is committed. */
  const createImportersOn = (buffer: ClinicalStore) => {
    const on = { ...environment, store: buffer };
    const createFollower = (of: Environment) => ({ ...followDirectory(of), onMember: () => TE.right([]) });
    return createResourceImporters(on, createDirectory(on, { lookUp, createFollower }));
  };

  const {
    canAskHost: _canAskHost,
    find: _find,
    require: _require,
    findUnknown: _findUnknown,
    decide: _decide,
    onStore: _onStore,
    ...publicDirectory
  } = directory;
  const guardBegin = createBeginGuard(store);
  const careTeams = createCareTeams(environment, directory);
  const immunizations = createImmunizations(environment, directory);
  const chart = createChart<ChartCommandInput>(
    {
      ServiceRequest: createChartSection(environment, defineOrderCommands(environment, directory)),
      Goal: createChartSection(environment, defineGoalCommands(environment, directory)),
      Immunization: createChartSection(environment, defineImmunizationCommands(environment, directory)),
    },
    directory,
  );

  const createReadable = <Resource>(definition: ReadDefinition): TasksOf<ReadableResources<Resource>> => {
    const asJson = createJsonReads(environment, definition);
    return { ...createResourceReads<Resource>(asJson), asJson };
  };

  const verify = createVerify(store, {
    ...directoryRecordDefinitions,
    ServiceRequest: defineServiceRequestRecord(environment.zone),
    Goal: goalRecordDefinition,
    CareTeam: defineCareTeamRecord(extensionBase),
    Immunization: defineImmunizationRecord(extensionBase),
    IdempotencyKey: idempotencyKeyRecordDefinition,
  });

  return {
    serviceRequests: createResults<ReadableResources<ServiceRequest>>(
      createReadable({ type: 'ServiceRequest', parameters: serviceRequestParameters }),
    ),
    goals: createResults<ReadableResources<Goal>>(
      createReadable({ type: 'Goal', parameters: goalParameters }),
    ),
    careTeams: createResults<CareTeams>({
      ...guardBegin(careTeams, 'update', 'setParticipantStatus', 'removeAllParticipants'),
      asJson: guardBegin(careTeams.asJson, 'update'),
    }),
    immunizations: createResults<Immunizations>({
      ...guardBegin(immunizations, 'create', 'update'),
      asJson: guardBegin(immunizations.asJson, 'create', 'update'),
    }),
    chart: createResults<Chart<ChartCommandInput>>(
      guardBegin(chart, 'stage', 'commit', 'record', 'completeOrder', 'enterInError'),
    ),
    directory: createResults<Directory>(
      guardBegin(
        publicDirectory,
        'putPatient',
        'putPractitioner',
        'putOrganization',
        'putEncounter',
        'putNote',
      ),
    ),
    changes: createChangeFeed(store),
    describe: () => describe(extensionBase),
    verify: (verifyOptions) => createResult(verify(verifyOptions)),
    importer: createResults<Importer>(
      guardBegin(
        createImporter(store, { createImportersOn, renameMember: followDirectory(environment).afterMember }),
        'load',
      ),
    ),
    in: (transaction) => createClinicalRecords({ ...options, store: transaction.join(store) }),
  };
};
