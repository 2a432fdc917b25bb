import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import type { ParticipantStatus } from '../directory/model.ts';
import { createIssueFactory, type Issue } from '../errors.ts';
import { code, text } from '../fhir/element.ts';
import type { SentParticipant } from './bodies.ts';
import {
  type CareTeamRole,
  type CareTeamState,
  isSameMember,
  isSameRole,
  type Member,
  type NamedMember,
  type Participant,
} from './model.ts';

export const careTeamIssues = {
  'invalid-member': 'A member must be a reference such as Practitioner/12 or Organization/31.',
  'participant-status': 'Must be proposed, active, suspended, inactive or entered-in-error.',
  'subject-differs': 'The subject must be the patient of the care team.',
  'status-suffix': 'Only the active care team can be updated, under the id of its patient.',
  'role-required': 'A practitioner on a care team must have a role.',
  'role-not-configured': 'Not one of the configured care team roles.',
  'one-role': 'A participant must have exactly one role, with one coding.',
  'participant-unchanged': 'Already on the team with another status; the import did not change it.',
  'participant-ended': 'The period of the participant has ended. Leave out who is no longer on the team.',
  'participant-once': 'A member can be on the team only once, and in one role.',
  'role-taken': 'Only one practitioner can hold a given role on a care team.',
  'organization-lead': 'An organization cannot be the lead.',
  'one-lead': 'Only one active participant can be the lead.',
  'team-full': 'The care team would have more than 1,000 participants, in all statuses together.',
} as const;

export type CareTeamRule = keyof typeof careTeamIssues;

export const careTeamIssue = createIssueFactory(careTeamIssues);

/** The coding of a role that a PUT accepts. A client can therefore send back a team that it has read. */
const rolesSchema = z.array(z.object({ system: text, code, display: text }));

/** A copy of the roles that a host configures. Throws a RangeError for an invalid role, and for one that occurs twice. */
export const parseRoles = (careTeamRoles: readonly CareTeamRole[]): readonly CareTeamRole[] => {
  const roles = rolesSchema.safeParse(careTeamRoles).data;
  if (roles === undefined) {
    throw new RangeError(
      'Each of the careTeamRoles must have a system, a code without spare spaces, and a display. None may be empty.',
    );
  }
  if (new Set(roles.map(({ system, code }) => JSON.stringify([system, code]))).size < roles.length) {
    throw new RangeError('Two of the careTeamRoles have the same system and code.');
  }
  return roles;
};

/** The configured role that a coding names: equal in system and code. */
export const findConfiguredRole = (
  roles: readonly CareTeamRole[],
  sent: { readonly system?: string | undefined; readonly code?: string | undefined },
): CareTeamRole | undefined => roles.find(({ system, code }) => sent.system === system && sent.code === code);

/** The issue for a role that is not configured, with those that are. */
export const roleNotConfiguredIssue = (roles: readonly CareTeamRole[], element: string): Issue =>
  careTeamIssue(
    'role-not-configured',
    element,
    roles.map(({ system, code }) => `${system}|${code}`),
  );

/** The configured role that a participant is sent with: null for an organization without one. */
export const requireConfiguredRole = (
  { codings }: SentParticipant,
  { roles, element }: { readonly roles: readonly CareTeamRole[]; readonly element: string },
): E.Either<Issue, CareTeamRole | null> => {
  const [sent] = codings;
  if (sent === undefined) return E.right(null);
  if (codings.length > 1) return E.left(careTeamIssue('one-role', element));
  return E.fromNullable(roleNotConfiguredIssue(roles, element))(findConfiguredRole(roles, sent));
};

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

/** Names the role that a practitioner holds; organizations hold none, whatever role they come with. */
const roleKey = ({ member, role }: RequestedParticipant): string | null =>
  member.type === 'Practitioner' && role !== null ? JSON.stringify([role.system, role.code]) : null;

/** Counts over all active participants what the rules check: of each role, by its code and system, the practitioners who hold it. */
export const countParticipants = (participants: readonly RequestedParticipant[]) => {
  const occurrences = new Map<string, number>();
  const roleHolders = new Map<string, Set<string>>();
  for (const participant of participants) {
    const key = memberKey(participant);
    occurrences.set(key, (occurrences.get(key) ?? 0) + 1);
    const role = roleKey(participant);
    if (role !== null) roleHolders.set(role, (roleHolders.get(role) ?? new Set()).add(key));
  }
  return { occurrences, roleHolders, leadCount: participants.filter(({ lead }) => lead === true).length };
};

/** The issues of one active participant. Source: docs/http-interface.md#careteam. */
export const checkParticipant = (
  participant: RequestedParticipant,
  { occurrences, roleHolders, leadCount }: ReturnType<typeof countParticipants>,
  element: string,
): readonly Issue<CareTeamRule>[] => {
  const role = roleKey(participant);
  const isRoleTaken = role !== null && (roleHolders.get(role)?.size ?? 0) > 1;
  return [
    ...((occurrences.get(memberKey(participant)) ?? 0) > 1
      ? [careTeamIssue('participant-once', `${element}.member`)]
      : []),
    ...(isRoleTaken ? [careTeamIssue('role-taken', `${element}.role`)] : []),
    ...(participant.lead === true && participant.member.type === 'Organization'
      ? [careTeamIssue('organization-lead', `${element}.extension`)]
      : []),
    ...(participant.lead === true && leadCount > 1
      ? [careTeamIssue('one-lead', `${element}.extension`)]
      : []),
  ];
};

/** The issues of all the participants that are requested as the active ones. Source: docs/http-interface.md#careteam. */
export const checkParticipants = (
  requested: readonly RequestedParticipant[],
): readonly Issue<CareTeamRule>[] => {
  const counts = countParticipants(requested);
  return requested.flatMap((participant, index) =>
    checkParticipant(participant, counts, `CareTeam.participant[${index}]`),
  );
};

/** The most participants of a team. Nobody who was on it is forgotten, so it only grows. */
const maxParticipants = 1_000;

/** The issue of a team that somebody has joined; none for one that others have left, or that a merge has made larger. */
const checkSize = (
  before: CareTeamState,
  after: CareTeamState,
  element: string,
): readonly Issue<CareTeamRule>[] => {
  const { length } = after.participants;
  return length > Math.max(maxParticipants, before.participants.length)
    ? [careTeamIssue('team-full', element)]
    : [];
};

const isUnchanged = (before: Participant, after: Participant) =>
  before.status === after.status && before.lead === after.lead && isSameRole(before.role, after.role);

/** A participant after an update. Its date changes only if the participant changes. */
const changeParticipant = (before: Participant | undefined, after: Participant): Participant =>
  before !== undefined && isUnchanged(before, after)
    ? { ...before, member: after.member, role: after.role }
    : after;

/** The statuses that end with an update without participants. */
const statusesEndedByEmptyUpdate: readonly ParticipantStatus[] = ['active', 'proposed', 'suspended'];

/**
 * The team after an update. The requested participants become active; the others who were active become inactive. The rest
 * stay unchanged. If nobody is requested, the proposed and the suspended participants become inactive, too.
 * Source: docs/http-interface.md#careteam.
 */
export const upsert = (
  team: CareTeamState,
  requested: readonly RequestedParticipant[],
  at: number,
): E.Either<readonly Issue<CareTeamRule>[], CareTeamState> => {
  const issues = checkParticipants(requested);
  if (issues.length > 0) return E.left(issues);

  const movesLead = requested.some(({ lead }) => lead === true);
  const activate = (
    { member, role, lead }: RequestedParticipant,
    before: Participant | undefined,
  ): Participant => {
    const keepsLead = !movesLead && before?.status === 'active' && before.lead;
    return changeParticipant(before, {
      member,
      role,
      lead: lead ?? keepsLead,
      status: 'active',
      changedAt: at,
    });
  };
  const endedStatuses = requested.length === 0 ? statusesEndedByEmptyUpdate : ['active'];
  const retire = (before: Participant): Participant => {
    if (!endedStatuses.includes(before.status)) return before;
    const { member, role } = before;
    return { member, role, lead: false, status: 'inactive', changedAt: at };
  };

  const requestedByKey = new Map(requested.map((participant) => [memberKey(participant), participant]));
  const existingKeys = new Set(team.participants.map(memberKey));
  const updated = team.participants.map((before) => {
    const after = requestedByKey.get(memberKey(before));
    return after === undefined ? retire(before) : activate(after, before);
  });
  const added = requested
    .filter((participant) => !existingKeys.has(memberKey(participant)))
    .map((participant) => activate(participant, undefined));
  const after = { ...team, participants: [...updated, ...added] };
  const excess = checkSize(team, after, 'CareTeam.participant');
  return excess.length > 0 ? E.left(excess) : E.right(after);
};

/** A participant's new status; `role` is undefined to keep the present role, and null for none. */
export type StatusChange = {
  readonly member: Participant['member'];
  readonly status: ParticipantStatus;
  readonly role: CareTeamRole | null | undefined;
  /** Set if an import makes the change. A change by the clinic makes the participant the clinic's, even if nothing else changes. */
  readonly isImported?: true;
};

/** The team after a participant was given a status. A member who was not on the team joins it. */
export const setStatus = (
  team: CareTeamState,
  { member, status, role, ...origin }: StatusChange,
  at: number,
): E.Either<readonly Issue<CareTeamRule>[], CareTeamState> => {
  const before = team.participants.find((participant) => isSameMember(participant.member, member));
  const next: Participant = {
    member,
    role: role === undefined ? (before?.role ?? null) : role,
    lead: status === 'active' && before?.lead === true,
    status,
    changedAt: at,
  };
  const after: Participant = { ...next, changedAt: changeParticipant(before, next).changedAt, ...origin };
  if (member.type === 'Practitioner' && after.role === null)
    return E.left([careTeamIssue('role-required', 'participant.role')]);
  const rest = team.participants.filter((participant) => participant !== before);
  const active = rest.filter((participant) => participant.status === 'active');
  const issues =
    status === 'active' ? checkParticipant(after, countParticipants([...active, after]), 'participant') : [];
  if (issues.length > 0) return E.left(issues);
  const participants =
    before === undefined
      ? [...rest, after]
      : team.participants.map((participant) => (participant === before ? after : participant));
  const changed = { ...team, participants };
  const excess = checkSize(team, changed, 'participant');
  return excess.length > 0 ? E.left(excess) : E.right(changed);
};
