import type { CareTeamRole } from './model.ts';
import type { CareTeamUpdate, SentParticipant } from './request-bodies.ts';

/** The role that US Core demands of a participant without one. Source: US Core 6.1.0, General Guidance, Missing Data. */
export const absentRole: CareTeamRole = {
  system: 'http://terminology.hl7.org/CodeSystem/data-absent-reason',
  code: 'unknown',
  display: 'Unknown',
};

/** Whether a coding only says that a role is absent. */
export const isAbsentRole = (coding: { readonly system?: unknown; readonly code?: unknown }): boolean =>
  coding.system === absentRole.system && coding.code === absentRole.code;

const isAbsent = ({ member, codings }: SentParticipant): boolean =>
  member.type === 'Organization' && codings.every(isAbsentRole);

/** The update without the absent roles of organizations, so that a client can send back a team that it has read. */
export const omitAbsentRoles = (update: CareTeamUpdate): CareTeamUpdate => ({
  ...update,
  participants: update.participants.map((sent) => (isAbsent(sent) ? { ...sent, codings: [] } : sent)),
});
