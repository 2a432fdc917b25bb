import type { Fault } from '../errors.ts';
import { careTeamFault } from './faults.ts';
import type { CareTeamRole, Member, Participant } from './model.ts';

/** A participant as an update asks for it; `lead` is undefined where nothing is said of it. */
export type Requested = {
  readonly member: Participant['member'];
  readonly role: CareTeamRole | null;
  readonly lead: boolean | undefined;
};

/** Names a member among others. */
export const memberKey = ({ member }: { readonly member: Member }): string => `${member.type}/${member.id}`;

/** What the rules look at in all the active participants together. */
type Survey = {
  readonly times: ReadonlyMap<string, number>;
  /** Of each role, by its code and system, the practitioners who hold it. */
  readonly holders: ReadonlyMap<string, ReadonlySet<string>>;
  readonly leads: number;
};

/** Names the role that a practitioner holds; organizations hold none, whatever role they come with. */
const roleHeldBy = ({ member, role }: Requested): string | null =>
  member.type === 'Practitioner' && role !== null ? JSON.stringify([role.system, role.code]) : null;

export const survey = (participants: readonly Requested[]): Survey => {
  const times = new Map<string, number>();
  const holders = new Map<string, Set<string>>();
  for (const one of participants) {
    const key = memberKey(one);
    times.set(key, (times.get(key) ?? 0) + 1);
    const role = roleHeldBy(one);
    if (role !== null) holders.set(role, (holders.get(role) ?? new Set()).add(key));
  }
  return { times, holders, leads: participants.filter(({ lead }) => lead === true).length };
};

/** Rules 3 to 6 of the interface, as far as one of the active participants breaks them. */
export const brokenBy = (
  one: Requested,
  { times, holders, leads }: Survey,
  element: string,
): readonly Fault[] => {
  const role = roleHeldBy(one);
  const isRoleTaken = role !== null && (holders.get(role)?.size ?? 0) > 1;
  return [
    ...((times.get(memberKey(one)) ?? 0) > 1 ? [careTeamFault('participant-once', `${element}.member`)] : []),
    ...(isRoleTaken ? [careTeamFault('role-taken', `${element}.role`)] : []),
    ...(one.lead === true && one.member.type === 'Organization'
      ? [careTeamFault('organization-lead', `${element}.extension`)]
      : []),
    ...(one.lead === true && leads > 1 ? [careTeamFault('one-lead', `${element}.extension`)] : []),
  ];
};

/** What breaks rules 3 to 6 in all the participants that are to be the active ones. */
export const violations = (requested: readonly Requested[]): readonly Fault[] => {
  const surveyed = survey(requested);
  return requested.flatMap((one, index) => brokenBy(one, surveyed, `CareTeam.participant[${index}]`));
};
