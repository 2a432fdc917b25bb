import { referenceTo } from '../fhir/reference.ts';
import type { Present } from '../records/load.ts';
import {
  type CareTeam,
  leadUrl,
  type Participant,
  type ParticipantStatus,
  type Team,
  type TeamRecord,
} from './model.ts';
import { teamId } from './team-id.ts';

/** Each practitioner carries the lead marker, true or false; organizations, who cannot lead, carry none. */
const participantOf =
  (extensionBase: string) =>
  ({ member, role, lead }: Participant): NonNullable<CareTeam['participant']>[number] => ({
    ...(member.type === 'Practitioner' && {
      extension: [{ url: leadUrl(extensionBase), valueBoolean: lead }],
    }),
    ...(role !== null && { role: [{ coding: [role] }] }),
    member: { ...referenceTo(member.type, member.id), display: member.display },
  });

/** The care team that a patient's participants in one status make. Source: interface, "CareTeam". */
export const deriveCareTeam =
  (extensionBase: string) =>
  ({ patient, participants }: Team, status: ParticipantStatus): CareTeam => {
    const name = `${patient.lastName}, ${patient.firstName}`;
    const participant = participants.filter((one) => one.status === status).map(participantOf(extensionBase));
    return {
      resourceType: 'CareTeam',
      id: teamId(patient.id, status),
      status,
      name: `Care Team for ${name}`,
      subject: { ...referenceTo('Patient', patient.id), display: name },
      ...(participant.length > 0 && { participant }),
    };
  };

/** When a team was last modified: the newest change of its members; of a team without any, the patient's own. */
export const lastModified = ({ patient, participants }: Team): number =>
  participants.length === 0
    ? patient.lastModified
    : participants.reduce((latest, { changedAt }) => Math.max(latest, changedAt), 0);

const second = 1_000;

/**
 * When a team is changed: now, or at the beginning of the second after the last change, where that second has not begun yet.
 * `If-Unmodified-Since` is compared in whole seconds, so no two changes share one. A clock that was set back makes no difference.
 */
export const modifiedAt = ({ stored, state }: Present<TeamRecord>, now: number): number => {
  const latest = Math.max(stored.at, lastModified(state));
  return Math.max(now, (Math.floor(latest / second) + 1) * second);
};
