import { participantStatuses, teamId } from '../directory/model.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { createUpdateBodySchema } from './bodies.ts';
import { type CareTeams, careTeamFunctions, createCareTeams, createTeamVersionReader } from './care-teams.ts';
import { type CareTeam, type CareTeamParticipant, createCareTeamSchema } from './model.ts';
import { careTeamFacts, createTeamPresenter, defineCareTeamRecord } from './record.ts';
import { createCareTeamImporter, otherVersions } from './source.ts';
import { createTeamRecords } from './team-records.ts';

/** A participant as a change that only ends others leaves it. */
const isSameParticipant = (a: CareTeamParticipant, b: CareTeamParticipant): boolean =>
  a.member.reference === b.member.reference && JSON.stringify(a.role) === JSON.stringify(b.role);

/** Whether participants only leave or are suspended. Each status is a resource of its own. */
const endsParticipation = (before: CareTeam | null, after: CareTeam): boolean => {
  if (after.status === 'inactive' || after.status === 'suspended') return true;
  const [earlier, later] = [before?.participant ?? [], after.participant ?? []];
  return (
    later.length < earlier.length &&
    later.every((participant) => earlier.some((other) => isSameParticipant(participant, other)))
  );
};

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
  fieldElements: [],
  isEnd: endsParticipation,
  defineRecord: defineCareTeamRecord,
  createService: (environment, { directory, includes }) => {
    const teams = createTeamRecords(environment);
    return createCareTeams(environment, { directory, teams, roles: environment.careTeamRoles, includes });
  },
  functions: careTeamFunctions,
  createTextOf: (environment) => createTeamRecords(environment).textOf,
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
