import type { Issue } from '../errors.ts';
import { careTeamIssue } from './issues.ts';
import type { CareTeamRole, Member, NamedMember } from './model.ts';

/** A participant as an update asks for it. */
export type RequestedParticipant = {
  /** The practitioner or the organization. */
  readonly member: NamedMember;
  /** The configured role; null for an organization without one. */
  readonly role: CareTeamRole | null;
  /** Whether the participant leads the team; undefined if the request does not say. */
  readonly lead: boolean | undefined;
};

/** Names a member among others. */
export const memberKey = ({ member }: { readonly member: Member }): string => `${member.type}/${member.id}`;

/** The counts over all active participants that the rules check. */
type TeamCounts = {
  readonly occurrences: ReadonlyMap<string, number>;
  /** Of each role, by its code and system, the practitioners who hold it. */
  readonly roleHolders: ReadonlyMap<string, ReadonlySet<string>>;
  readonly leadCount: number;
};

/** Names the role that a practitioner holds; organizations hold none, whatever role they come with. */
const roleKey = ({ member, role }: RequestedParticipant): string | null =>
  member.type === 'Practitioner' && role !== null ? JSON.stringify([role.system, role.code]) : null;

export const countParticipants = (participants: readonly RequestedParticipant[]): TeamCounts => {
  const occurrences = new Map<string, number>();
  const roleHolders = new Map<string, Set<string>>();
  for (const one of participants) {
    const key = memberKey(one);
    occurrences.set(key, (occurrences.get(key) ?? 0) + 1);
    const role = roleKey(one);
    if (role !== null) roleHolders.set(role, (roleHolders.get(role) ?? new Set()).add(key));
  }
  return { occurrences, roleHolders, leadCount: participants.filter(({ lead }) => lead === true).length };
};

/** The issues of one active participant. Source: docs/http-interface.md#careteam. */
export const checkParticipant = (
  one: RequestedParticipant,
  { occurrences, roleHolders, leadCount }: TeamCounts,
  element: string,
): readonly Issue[] => {
  const role = roleKey(one);
  const isRoleTaken = role !== null && (roleHolders.get(role)?.size ?? 0) > 1;
  return [
    ...((occurrences.get(memberKey(one)) ?? 0) > 1
      ? [careTeamIssue('participant-once', `${element}.member`)]
      : []),
    ...(isRoleTaken ? [careTeamIssue('role-taken', `${element}.role`)] : []),
    ...(one.lead === true && one.member.type === 'Organization'
      ? [careTeamIssue('organization-lead', `${element}.extension`)]
      : []),
    ...(one.lead === true && leadCount > 1 ? [careTeamIssue('one-lead', `${element}.extension`)] : []),
  ];
};

/** The issues of all the participants that are requested as the active ones. Source: docs/http-interface.md#careteam. */
export const checkParticipants = (requested: readonly RequestedParticipant[]): readonly Issue[] => {
  const counts = countParticipants(requested);
  return requested.flatMap((one, index) => checkParticipant(one, counts, `CareTeam.participant[${index}]`));
};
