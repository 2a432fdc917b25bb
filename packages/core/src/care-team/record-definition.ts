import { participantStatuses, teamId } from '../directory/team-id.ts';
import { withProfile } from '../records/profile.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import { deriveCareTeam } from './derive.ts';
import { careTeamFacts } from './facts.ts';
import type { TeamRecord } from './model.ts';
import { indexCareTeam } from './search-parameters.ts';

const agreement: RecordDefinition<TeamRecord>['agreement'] = {
  // The parts of the other statuses check each record of the team, so that it is checked if any of them exists.
  among: ({ patient, status }) =>
    status === 'active'
      ? []
      : participantStatuses.map((one) => ({ type: 'CareTeam', id: teamId(patient.id, one) })),
  isSound: (records) => {
    const members = records
      .flatMap(({ participants }) => participants)
      .map(({ member: { type, id } }) => `${type}/${id}`);
    const isInPlace = ({ status, participants }: TeamRecord) =>
      participants.every((participant) => participant.status === status);
    return new Set(members).size === members.length && records.every(isInPlace);
  },
};

/** The records of care teams, one for each status. A team that is not active is found only where it has participants. */
export const defineCareTeamRecord = (extensionBase: string): RecordDefinition<TeamRecord> => ({
  type: 'CareTeam',
  id: ({ patient, status }) => teamId(patient.id, status),
  patientId: ({ patient }) => patient.id,
  derive: (record) =>
    record.patient.replacedBy !== undefined ||
    (record.status !== 'active' && record.participants.length === 0)
      ? null
      : {
          resource: withProfile(careTeamFacts, deriveCareTeam(extensionBase)(record)),
          index: indexCareTeam(record),
        },
  refersTo: ({ patient, participants }) => [
    { type: 'Patient', id: patient.id },
    { type: 'CareTeam', id: teamId(patient.id, 'active') },
    ...participants.map(({ member: { type, id } }) => ({ type, id })),
  ],
  withPatient: null,
  agreement,
});
