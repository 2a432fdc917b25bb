import { type ParticipantStatus, participantStatuses } from './model.ts';

/** What an id of a care team names: the patient, and the status of the participants if it says one. */
export type TeamId = { readonly patientId: string; readonly suffix: ParticipantStatus | null };

export const parseTeamId = (id: string): TeamId => {
  const suffix = participantStatuses.find((status) => id.endsWith(`.${status}`));
  return suffix === undefined
    ? { patientId: id, suffix: null }
    : { patientId: id.slice(0, -suffix.length - 1), suffix };
};

/** The id of the participants in a status. Source: interface, "CareTeam", id. */
export const teamId = (patientId: string, status: ParticipantStatus): string =>
  status === 'active' ? patientId : `${patientId}.${status}`;
