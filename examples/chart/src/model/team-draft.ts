import type { CareTeamRole, CareTeamUpdateBody, CareTeamUpdateParticipant } from '@clinical-records/core';
import type { Member } from './care-team.ts';

/** A member as a user edits it. */
export type DraftMember = Pick<Member, 'reference' | 'name' | 'roleCode' | 'isLead'>;

export const isPractitioner = ({ reference }: Pick<Member, 'reference'>): boolean =>
  reference.startsWith('Practitioner/');

export const roleCodeOf = ({ system, code }: CareTeamRole): string => `${system}|${code}`;

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

const isSame = (a: DraftMember, b: DraftMember): boolean =>
  a.roleCode === b.roleCode && a.isLead === b.isLead;

/**
 * Makes the same changes to a newer team: who was added, changed or removed in the draft. All else is as others left it. If the
 * draft has a new lead, nobody else is the lead.
 */
export const rebaseDraft = (
  draft: readonly DraftMember[],
  { base, current }: { readonly base: readonly DraftMember[]; readonly current: readonly DraftMember[] },
): readonly DraftMember[] => {
  const find = (members: readonly DraftMember[], { reference }: DraftMember) =>
    members.find((one) => one.reference === reference);
  const isChanged = (member: DraftMember) => {
    const before = find(base, member);
    return before === undefined || !isSame(before, member);
  };
  const kept = current.flatMap((member) => {
    const drafted = find(draft, member);
    if (drafted === undefined) return find(base, member) === undefined ? [member] : [];
    return [isChanged(drafted) ? drafted : member];
  });
  const added = draft.filter((member) => isChanged(member) && find(current, member) === undefined);
  const newLead = draft.find((member) => member.isLead && !find(base, member)?.isLead);
  return [...kept, ...added].map((member) =>
    newLead === undefined ? member : { ...member, isLead: member.reference === newLead.reference },
  );
};
