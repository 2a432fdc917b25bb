import { participantStatuses, teamId } from '../directory/team-id.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import type { TeamRecord } from './model.ts';

/** What a record of a care team relates to: its patient, its members, and the other records of the same team. */
export const teamRelations: Pick<RecordDefinition<TeamRecord>, 'refersTo' | 'agreement'> = {
  refersTo: ({ patient, participants }) => [
    { type: 'Patient', id: patient.id },
    { type: 'CareTeam', id: teamId(patient.id, 'active') },
    ...participants.map(({ member: { type, id } }) => ({ type, id })),
  ],
  agreement: {
    // With those who are not active, so that they are looked at once they are there.
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
  },
};
