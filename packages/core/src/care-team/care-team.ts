import { participantStatuses, teamId } from '../directory/model.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { createUpdateBodySchema } from './bodies.ts';
import { type CareTeams, careTeamFunctions, createCareTeams, createTeamVersionReader } from './care-teams.ts';
import { type CareTeam, createCareTeamSchema } from './model.ts';
import { careTeamFacts, createTeamPresenter, defineCareTeamRecord } from './record.ts';
import { createCareTeamImporter, otherVersions } from './source.ts';
import { createTeamRecords } from './team-records.ts';

export const careTeam: ResourceDefinition<'CareTeam', 'careTeams', CareTeam, CareTeams> = {
  ...careTeamFacts,
  name: 'careTeams',
  isOnePerPatient: true,
  schema: createCareTeamSchema,
  requests: {
    update: {
      body: createUpdateBodySchema,
      errorTags: ['InvalidRequest', 'NotSupported', 'RuleViolation', 'PreconditionFailed', 'NotFound'],
    },
    setParticipantStatus: {
      errorTags: ['InvalidRequest', 'NotFound', 'NotSupported', 'PreconditionFailed', 'RuleViolation'],
    },
  },
  defineRecord: defineCareTeamRecord,
  createService: (environment, { directory, includes }) => {
    const teams = createTeamRecords(environment);
    return createCareTeams(environment, { directory, teams, roles: environment.careTeamRoles, includes });
  },
  functions: careTeamFunctions,
  createVersionReader: (environment, directory) =>
    createTeamVersionReader(environment, { directory, teams: createTeamRecords(environment) }),
  createCommands: null,
  people: ['participant'],
  otherVersions,
  defineImport: (environment) => ({
    importResource: createCareTeamImporter(environment, {
      teams: createTeamRecords(environment),
      roles: environment.careTeamRoles,
    }),
    // They refer to all other types, and the last decision has the latest date.
    isLast: true,
    recordIds: (patientId) => participantStatuses.map((status) => teamId(patientId, status)),
  }),
  move: null,
  createPresenter: createTeamPresenter,
  // An import creates such a team with its patient.
  isEmpty: ({ participant }) => participant === undefined,
};
