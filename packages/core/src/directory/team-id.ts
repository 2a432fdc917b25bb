/** The statuses that a participant can have. Source: docs/http-interface.md#careteam. */
export const participantStatuses = [
  'proposed',
  'active',
  'suspended',
  'inactive',
  'entered-in-error',
] as const;

/** The status of a participant, and of the care team that shows those who have it. @useDeclaredType */
export type ParticipantStatus = (typeof participantStatuses)[number];

/** The parts of a care team's id: the patient, and the status of the participants if the id has one. */
export type TeamId = { readonly patientId: string; readonly suffix: ParticipantStatus | null };

/** An id that is not a string has no suffix. No team has such an id. */
export const parseTeamId = (id: string): TeamId => {
  const suffix = participantStatuses.find((status) => `${id}`.endsWith(`.${status}`));
  return suffix === undefined
    ? { patientId: id, suffix: null }
    : { patientId: id.slice(0, -suffix.length - 1), suffix };
};

/** The id of the care team of a status. Source: docs/http-interface.md#careteam. */
export const teamId = (patientId: string, status: ParticipantStatus): string =>
  status === 'active' ? patientId : `${patientId}.${status}`;
