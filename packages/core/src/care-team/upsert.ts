import * as E from 'fp-ts/lib/Either.js';
import type { Fault } from '../errors.ts';
import { isSameRole, type Participant, type ParticipantStatus, type Team } from './model.ts';
import { memberKey, type Requested, violations } from './rules.ts';

const isUnchanged = (one: Participant, other: Participant) =>
  one.status === other.status && one.lead === other.lead && isSameRole(one.role, other.role);

/** A participant after a change of it: dated anew only if it is one. */
export const changed = (before: Participant | undefined, after: Participant): Participant =>
  before !== undefined && isUnchanged(before, after)
    ? { ...before, member: after.member, role: after.role }
    : after;

/** The statuses that end with an upsert of nobody. */
export const endedByEmptyUpdate: readonly ParticipantStatus[] = ['active', 'proposed', 'suspended'];

/**
 * The team after an upsert: those requested are its active participants, those who were active and are not requested are
 * inactive, and all others stay as they are. Where nobody is requested, those who were proposed or suspended are inactive, too.
 * Source: interface, "CareTeam participants" and rules 3 to 6.
 */
export const upsert = (
  team: Team,
  requested: readonly Requested[],
  at: number,
): E.Either<readonly Fault[], Team> => {
  const faults = violations(requested);
  if (faults.length > 0) return E.left(faults);

  const movesLead = requested.some(({ lead }) => lead === true);
  const activated = ({ member, role, lead }: Requested, before: Participant | undefined): Participant => {
    const keepsLead = !movesLead && before?.status === 'active' && before.lead;
    return changed(before, { member, role, lead: lead ?? keepsLead, status: 'active', changedAt: at });
  };
  const ended = requested.length === 0 ? endedByEmptyUpdate : ['active'];
  const retired = (before: Participant): Participant => {
    if (!ended.includes(before.status)) return before;
    const { member, role } = before;
    return { member, role, lead: false, status: 'inactive', changedAt: at };
  };

  const wanted = new Map(requested.map((one) => [memberKey(one), one]));
  const known = new Set(team.participants.map(memberKey));
  const kept = team.participants.map((before) => {
    const one = wanted.get(memberKey(before));
    return one === undefined ? retired(before) : activated(one, before);
  });
  const added = requested.filter((one) => !known.has(memberKey(one))).map((one) => activated(one, undefined));
  return E.right({ ...team, participants: [...kept, ...added] });
};
