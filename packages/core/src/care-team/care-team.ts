import { parseTeamId } from '../directory/team-id.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { type CareTeams, careTeamReports, createCareTeams } from './care-teams.ts';
import { careTeamFacts } from './facts.ts';
import { createCareTeamImporter } from './importer.ts';
import { type CareTeam, careTeam as careTeamSchema } from './model.ts';
import { createTeamPresenter } from './present-team.ts';
import { createReadTeamVersions } from './read-team-versions.ts';
import { defineCareTeamRecord } from './record-definition.ts';
import { updateBody } from './request-bodies.ts';
import { createTeamRecords } from './team-records.ts';

export const careTeam: ResourceDefinition<'CareTeam', 'careTeams', CareTeam, CareTeams> = {
  ...careTeamFacts,
  name: 'careTeams',
  isOnePerPatient: true,
  schema: careTeamSchema,
  requests: {
    update: {
      body: updateBody,
      errorTags: ['InvalidRequest', 'NotSupported', 'RuleViolation', 'PreconditionFailed', 'NotFound'],
    },
  },
  defineRecord: ({ extensionBase }) => defineCareTeamRecord(extensionBase),
  createService: (environment, { directory, includes }) => {
    const teams = createTeamRecords(environment);
    return createCareTeams(environment, { directory, teams, roles: environment.careTeamRoles, includes });
  },
  reports: careTeamReports,
  writes: ['update', 'setParticipantStatus', 'removeAllParticipants'],
  createReadVersions: (environment, directory) =>
    createReadTeamVersions(environment, { directory, teams: createTeamRecords(environment) }),
  createCommands: null,
  defineImport: (environment) => ({
    importResource: createCareTeamImporter(environment, {
      teams: createTeamRecords(environment),
      roles: environment.careTeamRoles,
    }),
    // They refer to all other types, and the last decision has the latest date.
    isLast: true,
  }),
  move: null,
  createPresenter: createTeamPresenter,
  // An import creates such a team with its patient.
  isEmpty: ({ participant }) => participant === undefined,
  // The statuses have the version of the active participants.
  versionedBy: (id) => parseTeamId(id).patientId,
};
