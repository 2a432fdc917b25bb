import type { CareTeamRole, CareTeamUpdateBody, CareTeamUpdateParticipant } from '@clinical-records/core';
import type { Member } from './care-team.ts';

/** A member as a user edits it. */
export type DraftMember = Pick<Member, 'reference' | 'name' | 'roleCode' | 'isLead'>;

export const isPractitioner = ({ reference }: Pick<Member, 'reference'>): boolean =>
  reference.startsWith('Practitioner/');

export const roleCodeOf = ({ system, code }: CareTeamRole): string => `${system}|${code}`;

/** The name of the practitioner who has a role; undefined if it is free. Source: docs/http-interface.md#careteam. */
export const holderOf = (roleCode: string, members: readonly DraftMember[]): string | undefined =>
  members.find((member) => isPractitioner(member) && member.roleCode === roleCode)?.name;

const participantOf = (
  { reference, roleCode, isLead }: DraftMember,
  { roles, extensionBase }: { readonly roles: readonly CareTeamRole[]; readonly extensionBase: string },
): CareTeamUpdateParticipant => {
  const role = roles.find((one) => roleCodeOf(one) === roleCode);
  return {
    member: { reference: reference as CareTeamUpdateParticipant['member']['reference'] },
    ...(role !== undefined && { role: [{ coding: [role] }] }),
    ...(reference.startsWith('Practitioner/') && {
      extension: [{ url: `${extensionBase}/careteam-lead`, valueBoolean: isLead }],
    }),
  };
};

/** The body of the update, with the participants in the order of the draft, so that an issue names their place. */
export const updateBodyOf = (
  id: string,
  draft: readonly DraftMember[],
  settings: { readonly roles: readonly CareTeamRole[]; readonly extensionBase: string },
): CareTeamUpdateBody => ({
  ...{ resourceType: 'CareTeam', id },
  participant: draft.map((member) => participantOf(member, settings)),
});

/** Whether two teams have the same members, roles and lead. */
export const isSameTeam = (some: readonly DraftMember[], others: readonly DraftMember[]): boolean =>
  some.length === others.length &&
  some.every(({ reference, roleCode, isLead }) =>
    others.some((one) => one.reference === reference && one.roleCode === roleCode && one.isLead === isLead),
  );

/**
 * Makes the same changes to a newer team: who was added or removed in the draft, whose role was changed, and who became the
 * lead. All else is as others left it. If the draft has a new lead, nobody else is the lead.
 */
export const rebaseDraft = (
  draft: readonly DraftMember[],
  { base, current }: { readonly base: readonly DraftMember[]; readonly current: readonly DraftMember[] },
): readonly DraftMember[] => {
  const find = (members: readonly DraftMember[], { reference }: DraftMember) =>
    members.find((one) => one.reference === reference);
  const hasNewRole = (member: DraftMember) => find(base, member)?.roleCode !== member.roleCode;
  const newLead = draft.find((member) => member.isLead && !find(base, member)?.isLead);
  const kept = current.flatMap((member) => {
    const drafted = find(draft, member);
    if (drafted === undefined) return find(base, member) === undefined ? [member] : [];
    return [hasNewRole(drafted) ? { ...member, roleCode: drafted.roleCode } : member];
  });
  const added = draft.filter(
    (member) => find(current, member) === undefined && (hasNewRole(member) || member === newLead),
  );
  return [...kept, ...added].map((member) =>
    newLead === undefined ? member : { ...member, isLead: member.reference === newLead.reference },
  );
};
