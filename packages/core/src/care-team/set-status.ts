import * as E from 'fp-ts/lib/Either.js';
import type { ParticipantStatus } from '../directory/team-id.ts';
import type { Issue } from '../errors.ts';
import { careTeamIssue } from './issues.ts';
import { type CareTeamRole, type CareTeamState, isSameMember, type Participant } from './model.ts';
import { checkParticipant, countParticipants } from './participant-rules.ts';
import { changeParticipant } from './upsert.ts';

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
): E.Either<readonly Issue[], CareTeamState> => {
  const before = team.participants.find((one) => isSameMember(one.member, member));
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
  const others = team.participants.filter((one) => one !== before);
  const active = others.filter((one) => one.status === 'active');
  const issues =
    status === 'active' ? checkParticipant(after, countParticipants([...active, after]), 'participant') : [];
  if (issues.length > 0) return E.left(issues);
  const participants =
    before === undefined
      ? [...others, after]
      : team.participants.map((one) => (one === before ? after : one));
  return E.right({ ...team, participants });
};
