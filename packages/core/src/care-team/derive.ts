import { teamId } from '../directory/team-id.ts';
import { createReference } from '../fhir/reference.ts';
import type { ExistingRecord } from '../records/load.ts';
import {
  type ActivePart,
  type CareTeam,
  type CareTeamState,
  leadUrl,
  type Participant,
  type TeamRecord,
} from './model.ts';

/** Each practitioner carries the lead marker, true or false; organizations, who cannot lead, carry none. */
const deriveParticipant =
  (extensionBase: string) =>
  ({ member, role, lead }: Participant): NonNullable<CareTeam['participant']>[number] => ({
    ...(member.type === 'Practitioner' && {
      extension: [{ url: leadUrl(extensionBase), valueBoolean: lead }],
    }),
    ...(role !== null && { role: [{ coding: [role] }] }),
    member: { ...createReference(member.type, member.id), display: member.display },
  });

/** The care team that derives from the participants of one status. Source: docs/http-interface.md#careteam. */
export const deriveCareTeam =
  (extensionBase: string) =>
  ({ patient, participants, status }: CareTeamState & Pick<TeamRecord, 'status'>): CareTeam => {
    // A patient without a first name has no comma: a FHIR string does not end in a space.
    const name = [patient.lastName, patient.firstName].filter((one) => one !== '').join(', ');
    return {
      resourceType: 'CareTeam',
      id: teamId(patient.id, status),
      status,
      name: `Care Team for ${name}`,
      subject: { ...createReference('Patient', patient.id), display: name },
      ...(participants.length > 0 && { participant: participants.map(deriveParticipant(extensionBase)) }),
    };
  };

/** Whether anybody is in a team, in whatever status. */
export const hasParticipants = ({ participants, otherStatuses }: ActivePart): boolean =>
  participants.length + otherStatuses.length > 0;

/** When a team was last modified: the newest change of its members; of a team without any, the patient's own. */
export const lastModified = (active: ActivePart): number =>
  hasParticipants(active) ? active.changedAt : active.patient.lastModified;

const second = 1_000;

/**
 * The time of a change to a team. It is now or, if that is later, the beginning of the second after the last change.
 * The header `If-Unmodified-Since` is compared in whole seconds, so two changes never share one. This also holds after the
 * clock was set back.
 */
export const dateNextChange = ({ stored, state }: ExistingRecord<ActivePart>, now: number): number => {
  const latest = Math.max(stored.at, lastModified(state));
  return Math.max(now, (Math.floor(latest / second) + 1) * second);
};
