import * as E from 'fp-ts/lib/Either.js';
import type { ParticipantStatus } from '../directory/team-id.ts';
import type { Issue } from '../errors.ts';
import { type CareTeamState, isSameRole, type Participant } from './model.ts';
import { checkParticipants, memberKey, type RequestedParticipant } from './participant-rules.ts';

const isUnchanged = (one: Participant, other: Participant) =>
  one.status === other.status && one.lead === other.lead && isSameRole(one.role, other.role);

/** A participant after an update. Its date changes only if the participant changes. */
export const changeParticipant = (before: Participant | undefined, after: Participant): Participant =>
  before !== undefined && isUnchanged(before, after)
    ? { ...before, member: after.member, role: after.role }
    : after;

/** The statuses that end with an update without participants. */
export const statusesEndedByEmptyUpdate: readonly ParticipantStatus[] = ['active', 'proposed', 'suspended'];

/**
 * The team after an update. The requested participants become active; the others who were active become inactive. The rest
 * stay unchanged. If nobody is requested, the proposed and the suspended participants become inactive, too.
 * Source: docs/http-interface.md#careteam.
 */
export const upsert = (
  team: CareTeamState,
  requested: readonly RequestedParticipant[],
  at: number,
): E.Either<readonly Issue[], CareTeamState> => {
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

  const requestedByKey = new Map(requested.map((one) => [memberKey(one), one]));
  const existingKeys = new Set(team.participants.map(memberKey));
  const updated = team.participants.map((before) => {
    const one = requestedByKey.get(memberKey(before));
    return one === undefined ? retire(before) : activate(one, before);
  });
  const added = requested
    .filter((one) => !existingKeys.has(memberKey(one)))
    .map((one) => activate(one, undefined));
  return E.right({ ...team, participants: [...updated, ...added] });
};
