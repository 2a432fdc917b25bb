import * as TE from 'fp-ts/lib/TaskEither.js';
import { type CareTeams, createCareTeams } from './care-team/care-teams.ts';
import { careTeamKind } from './care-team/kind.ts';
import type { CareTeamRole } from './care-team/model.ts';
import { followNames } from './care-team/names.ts';
import { rolesFrom } from './care-team/roles.ts';
import { type Changes, changesIn } from './changes.ts';
import { type Chart, createChart } from './chart/chart.ts';
import { chartSection } from './chart/chart-section.ts';
import { type Description, describe } from './description/description.ts';
import { createDirectory, type Directory } from './directory/directory.ts';
import { directoryKinds } from './directory/kinds.ts';
import { askingHost, type Resolve } from './directory/resolve.ts';
import { type Environment, timeBy } from './environment.ts';
import type { Result } from './errors.ts';
import { timeZoneNamed } from './fhir/time-zone.ts';
import { goalChart } from './goal/chart.ts';
import { goalKind } from './goal/kind.ts';
import type { Goal, GoalCommand } from './goal/model.ts';
import { goalParameters } from './goal/search-index.ts';
import { immunizationChart } from './immunization/chart.ts';
import { createImmunizations, type Immunizations } from './immunization/immunizations.ts';
import { immunizationKind } from './immunization/kind.ts';
import type { ImmunizationCommand } from './immunization/model.ts';
import { createImporter, type Importer } from './importer/importer.ts';
import { createIntakes } from './importer/intakes.ts';
import { askingToBegin } from './records/begin.ts';
import { idempotencyKeyKind } from './records/idempotency.ts';
import { createJsonReads, type JsonReads, type ReadDefinition } from './records/json-reads.ts';
import { idsBy, newUuid } from './records/new-id.ts';
import { type ResourceReads, resourceReads } from './records/resource-reads.ts';
import { serviceRequestChart } from './service-request/chart.ts';
import { serviceRequestKind } from './service-request/kind.ts';
import type { OrderCommand, ServiceRequest } from './service-request/model.ts';
import { serviceRequestParameters } from './service-request/search-index.ts';
import type { ClinicalStore, Transaction } from './store/port.ts';
import { type Verification, type VerifyOptions, verifying } from './verify/verify.ts';

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
  readonly resolve?: Resolve;
  /** What time it is; the system's, if this is not given. */
  readonly clock?: () => Date;
  /** An id of FHIR that nothing has yet; a UUID of version 7, which begins with the time, if this is not given. */
  readonly newId?: () => string;
  /** The zone, such as `America/New_York`, of dates and times without an offset; UTC, if this is not given. */
  readonly timeZone?: string;
  /**
   * The most steps of one search: 3,000,000, if this is not given. A step is a record that the store looks at, or a condition
   * that it compares with one; a million take about a second. A search that needs more is refused as `TooCostly`.
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
  readonly changes: Changes;
  /** What is read and what is sent, as search parameters and JSON Schemas. Made anew at each call. */
  readonly describe: () => Description;
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

const searchStepsFrom = (steps = defaultSearchSteps): number => {
  if (typeof steps === 'number' && steps >= 1) return steps;
  throw new RangeError('searchSteps must be a number of 1 or more.');
};

/**
 * Wires the rules to a store. Throws a RangeError for a time zone that is not known, an `extensionBase` that is no such URL,
 * `careTeamRoles` that cannot be roles, and `searchSteps` below 1.
 *
 * What it makes answers its errors. Called as its types say, it throws only from `changes` and `in`, and where `clock` or
 * `newId` throws, or makes what is no time or no id.
 *
 * @example
 * const records = createClinicalRecords({ store: createMemoryStore(), extensionBase, careTeamRoles: [] });
 */
export const createClinicalRecords = (options: ClinicalRecordsOptions): ClinicalRecords => {
  const { store, extensionBase, clock = () => new Date() } = options;
  // It would stand in what is stored.
  if (!/^[a-z][a-z\d+.-]+:[^\s?#]*[^\s?#/]$/i.test(extensionBase)) {
    throw new RangeError('The extensionBase is an absolute URL, without a slash at its end.');
  }
  const environment: Environment = {
    store,
    now: timeBy(clock),
    newId: options.newId === undefined ? newUuid : idsBy(options.newId),
    zone: timeZoneNamed(options.timeZone ?? 'UTC'),
    extensionBase,
    searchSteps: searchStepsFrom(options.searchSteps),
    roles: rolesFrom(options.careTeamRoles),
  };
  const ask = options.resolve && askingHost(options.resolve, environment.now);
  const directory = createDirectory(environment, { ask, followingOn: followNames });

  /** What takes in the resources of another system, on a store of its own; names follow members once a batch is committed. */
  const intakesOn = (draft: ClinicalStore) => {
    const on = { ...environment, store: draft };
    const followingOn = (of: Environment) => ({ ...followNames(of), member: () => TE.right([]) });
    return createIntakes(on, createDirectory(on, { ask, followingOn }));
  };

  const {
    asksHost: _asksHost,
    known: _known,
    demanded: _demanded,
    unknown: _unknown,
    decide: _decide,
    on: _on,
    ...publicDirectory
  } = directory;
  const asking = askingToBegin(store);
  const careTeams = createCareTeams(environment, directory);
  const immunizations = createImmunizations(environment, directory);
  const chart = createChart<ChartCommandInput>(
    {
      ServiceRequest: chartSection(environment, serviceRequestChart(environment, directory)),
      Goal: chartSection(environment, goalChart(environment, directory)),
      Immunization: chartSection(environment, immunizationChart(environment, directory)),
    },
    directory,
  );

  const readable = <Resource>(definition: ReadDefinition): ReadableResources<Resource> => {
    const asJson = createJsonReads(environment, definition);
    return { ...resourceReads<Resource>(asJson), asJson };
  };

  return {
    serviceRequests: readable({ type: 'ServiceRequest', parameters: serviceRequestParameters }),
    goals: readable({ type: 'Goal', parameters: goalParameters }),
    careTeams: {
      ...asking(careTeams, 'update', 'setParticipantStatus', 'removeAllParticipants'),
      asJson: asking(careTeams.asJson, 'update'),
    },
    immunizations: {
      ...asking(immunizations, 'create', 'update'),
      asJson: asking(immunizations.asJson, 'create', 'update'),
    },
    chart: asking(chart, 'stage', 'commit', 'record', 'completeOrder', 'enterInError'),
    directory: asking(
      publicDirectory,
      'putPatient',
      'putPractitioner',
      'putOrganization',
      'putEncounter',
      'putNote',
    ),
    changes: changesIn(store),
    describe: () => describe(extensionBase),
    verify: verifying(store, {
      ...directoryKinds,
      ServiceRequest: serviceRequestKind(environment.zone),
      Goal: goalKind,
      CareTeam: careTeamKind(extensionBase),
      Immunization: immunizationKind(extensionBase),
      IdempotencyKey: idempotencyKeyKind,
    }),
    importer: asking(
      createImporter(store, { intakesOn, follow: followNames(environment).memberAfterwards }),
      'load',
    ),
    in: (transaction) => createClinicalRecords({ ...options, store: transaction.join(store) }),
  };
};
