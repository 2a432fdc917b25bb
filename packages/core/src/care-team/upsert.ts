import * as E from 'fp-ts/lib/Either.js';
import type { Fault } from '../errors.ts';
import { careTeamFault } from './faults.ts';
import { type CareTeamRole, isSameMember, type Participant, type Team } from './model.ts';

/** A participant as an update asks for it; `lead` is undefined where nothing is said of it. */
export type Requested = {
  readonly member: Participant['member'];
  readonly role: CareTeamRole | null;
  readonly lead: boolean | undefined;
};

const isSameRole = (one: CareTeamRole | null, other: CareTeamRole | null) =>
  one !== null && other !== null && one.system === other.system && one.code === other.code;

const isPractitioner = ({ member }: Requested) => member.type === 'Practitioner';

/** Rules 3 to 6 of the interface, as far as one participant breaks them among the other active ones. */
export const brokenBy = (one: Requested, others: readonly Requested[], element: string): readonly Fault[] => {
  const sharesRole = (other: Requested) =>
    isPractitioner(one) &&
    isPractitioner(other) &&
    isSameRole(one.role, other.role) &&
    !isSameMember(one.member, other.member);
  return [
    ...(others.some((other) => isSameMember(one.member, other.member))
      ? [careTeamFault('participant-once', `${element}.member`)]
      : []),
    ...(others.some(sharesRole) ? [careTeamFault('role-taken', `${element}.role`)] : []),
    ...(one.lead === true && !isPractitioner(one)
      ? [careTeamFault('organization-lead', `${element}.extension`)]
      : []),
    ...(one.lead === true && others.some((other) => other.lead === true)
      ? [careTeamFault('one-lead', `${element}.extension`)]
      : []),
  ];
};

/** What breaks rules 3 to 6 in all the participants that are to be the active ones. */
export const violations = (requested: readonly Requested[]): readonly Fault[] =>
  requested.flatMap((one, index) =>
    brokenBy(one, requested.toSpliced(index, 1), `CareTeam.participant[${index}]`),
  );

const isUnchanged = (one: Participant, other: Participant) =>
  one.status === other.status &&
  one.lead === other.lead &&
  (one.role === other.role || isSameRole(one.role, other.role));

/** A participant after a change of it: dated anew only if it is one. */
export const changed = (before: Participant | undefined, after: Participant): Participant =>
  before !== undefined && isUnchanged(before, after) ? { ...after, changedAt: before.changedAt } : after;

/**
 * The team after an upsert: those requested are its active participants, those who were active and are not requested are
 * inactive, and all others stay as they are. Source: interface, "CareTeam participants" and rules 3 to 6.
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
  const retired = (before: Participant): Participant =>
    before.status === 'active' ? { ...before, status: 'inactive', lead: false, changedAt: at } : before;

  const kept = team.participants.map((before) => {
    const wanted = requested.find(({ member }) => isSameMember(before.member, member));
    return wanted === undefined ? retired(before) : activated(wanted, before);
  });
  const added = requested
    .filter(({ member }) => !team.participants.some((before) => isSameMember(before.member, member)))
    .map((wanted) => activated(wanted, undefined));
  return E.right({ ...team, participants: [...kept, ...added] });
};
