import * as E from 'fp-ts/lib/Either.js';
import { type CareTeams, createCareTeams } from './care-team/care-teams.ts';
import { parseRoles } from './care-team/configured-roles.ts';
import { followDirectory } from './care-team/follow-directory.ts';
import { createCareTeamImporter } from './care-team/importer.ts';
import { createReadTeamVersions } from './care-team/read-team-versions.ts';
import { defineCareTeamRecord } from './care-team/record-definition.ts';
import { createTeamRecords } from './care-team/team-records.ts';
import { createChangeFeed, readFeedEnd } from './change-feed.ts';
import { type Chart, createChart } from './chart/chart.ts';
import { createChartSection } from './chart/chart-section.ts';
import type { ChartCommandInput, ClinicalRecords, Goals, ReadableResources } from './clinical-records.ts';
import { createCopyTo } from './copy/copy-to.ts';
import { type Corrections, createCorrections } from './corrections/corrections.ts';
import { createEnvironment } from './create-environment.ts';
import { describe } from './description/description.ts';
import { createDirectory, type Directory } from './directory/directory.ts';
import { createDirectoryRecords } from './directory/directory-records.ts';
import { createHostLookup } from './directory/host-lookup.ts';
import { createReadReferenced } from './directory/read-resource.ts';
import { directoryRecordDefinitions } from './directory/record-definitions.ts';
import { createEverything } from './exporter/everything.ts';
import { createExporter, type Exporter } from './exporter/exporter.ts';
import type { ResourceType } from './fhir/resource-type.ts';
import { defineGoalCommands } from './goal/commands.ts';
import { createGoalWrites } from './goal/goal-writes.ts';
import { createGoalImporter } from './goal/importer.ts';
import type { Goal } from './goal/model.ts';
import { defineGoalRecord } from './goal/record-definition.ts';
import { type GoalSearch, goalParameters, indexGoal } from './goal/search-parameters.ts';
import { defineImmunizationCommands } from './immunization/commands.ts';
import { followNote } from './immunization/follow-note.ts';
import { createImmunizations, type Immunizations } from './immunization/immunizations.ts';
import { createImmunizationImporter } from './immunization/importer.ts';
import { defineImmunizationRecord } from './immunization/record-definition.ts';
import { createDirectoryImporters } from './importer/directory-importers.ts';
import { createImporter, type Importer } from './importer/importer.ts';
import { type ClinicalRecordsOptions, checkOptions } from './options.ts';
import { type EithersOf, toPromise, toPromises } from './outcome.ts';
import { createIncludes } from './provenance/include.ts';
import { createProvenances, type Provenances } from './provenance/provenances.ts';
import { createReadProvenances, type VersionReaders } from './provenance/read-provenances.ts';
import { createBeginGuard } from './records/begin-guard.ts';
import { correctionRecordDefinition } from './records/correction.ts';
import { idempotencyKeyRecordDefinition } from './records/idempotency.ts';
import { createReferenceIncludes } from './records/include-references.ts';
import { type IndexState, withIndexVersion } from './records/index-version.ts';
import { createJsonReads, type ReadDefinition } from './records/json-reads.ts';
import { createReadVersions } from './records/read-versions.ts';
import type { RecordDefinitions } from './records/record-definition.ts';
import { createResourceReads } from './records/resource-reads.ts';
import { createReindex } from './reindex/reindex.ts';
import { defineOrderCommands } from './service-request/commands.ts';
import { createServiceRequestImporter } from './service-request/importer.ts';
import type { ServiceRequest } from './service-request/model.ts';
import { defineServiceRequestRecord } from './service-request/record-definition.ts';
import {
  indexServiceRequest,
  type ServiceRequestSearch,
  serviceRequestParameters,
} from './service-request/search-parameters.ts';
import { createVerify } from './verify/verify.ts';
import { watchCalls } from './watch-calls.ts';

/** Creates the services on a store. `indexState` is shared by the calls on it. */
export const createRecords = (options: ClinicalRecordsOptions, indexState: IndexState): ClinicalRecords => {
  checkOptions(options);
  const store = withIndexVersion(options.store, indexState);
  const environment = createEnvironment(options, store);
  const { extensionBase } = environment;
  const roles = parseRoles(options.careTeamRoles);
  const lookUp = options.resolve && createHostLookup(options.resolve, environment.now);
  const teams = createTeamRecords(environment);
  const follower = { ...followDirectory(teams, environment), onNote: followNote(environment) };
  const directory = createDirectoryRecords(environment, { lookUp, follower });
  // An import renames members once a batch is committed.
  const importDirectory = createDirectoryRecords(environment, {
    lookUp,
    follower: { ...follower, onMember: async () => E.right([]) },
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
  ): EithersOf<ReadableResources<Resource, Search>> => {
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

  return {
    serviceRequests: toPromises<ReadableResources<ServiceRequest, ServiceRequestSearch>>(serviceRequests),
    goals: toPromises<Goals>({
      ...goals,
      asJson: { ...goals.asJson, ...guardBegin(goalWrites, 'create', 'update') },
    }),
    careTeams: toPromises<CareTeams>({
      ...guardBegin(careTeams, 'update', 'setParticipantStatus', 'removeAllParticipants'),
      asJson: guardBegin(careTeams.asJson, 'update'),
    }),
    immunizations: toPromises<Immunizations>({
      ...guardBegin(immunizations, 'create', 'update'),
      asJson: guardBegin(immunizations.asJson, 'create', 'update'),
    }),
    provenance: toPromises<Provenances>(createProvenances(environment, readProvenances)),
    chart: toPromises<Chart<ChartCommandInput>>(
      guardBegin(chart, 'stage', 'commit', 'record', 'completeOrder', 'enterInError'),
    ),
    directory: toPromises<Directory>(guardBegin(createDirectory(directory, follower), 'put')),
    corrections: toPromises<Corrections>(guardBegin(corrections, 'moveToPatient', 'mergePatients', 'erase')),
    changes: createChangeFeed(store),
    feedEnd: toPromise(() => readFeedEnd(store)),
    describe: () => describe(extensionBase),
    verify: toPromise(createVerify(store, definitions)),
    copyTo: toPromise(createCopyTo(store, definitions)),
    importer: toPromises<Importer>(
      guardBegin(
        createImporter(importDirectory, {
          importers,
          renameMember: (type, id) => follower.afterMember(store, type, id),
        }),
        'load',
      ),
    ),
    exporter: toPromises<Exporter>(createExporter(environment, { everything, readProvenances })),
    reindex: toPromise(createReindex(store, definitions)),
    access: null,
    // A transaction may be rolled back, so it has a state of its own.
    in: (transaction) =>
      watchCalls(
        createRecords({ ...options, store: transaction.join(options.store) }, { ...indexState }),
        transaction,
      ),
  };
};
