import type { CareTeam, ResourceVersion } from './resources.ts';

/** A participant of a care team, as it is shown. */
export type Member = {
  /** Such as `Practitioner/12`. */
  readonly reference: string;
  readonly name: string;
  /** The role in words; empty if none is known. */
  readonly role: string;
  /** The system and the code of the role; null if none is known. */
  readonly roleCode: string | null;
  readonly isLead: boolean;
};

/** A member who left the active team, and when. */
export type Departure = Member & { readonly leftAt: string };

const absentSystem = 'http://terminology.hl7.org/CodeSystem/data-absent-reason';

export const membersOf = ({ participant = [] }: Pick<CareTeam, 'participant'>): readonly Member[] =>
  participant.map(({ extension = [], role = [], member }) => {
    const coding = role[0]?.coding[0];
    const isKnown = coding !== undefined && (coding.system as string) !== absentSystem;
    return {
      reference: member.reference,
      name: member.display ?? member.reference,
      role: isKnown ? coding.display : '',
      roleCode: isKnown ? `${coding.system}|${coding.code}` : null,
      isLead: extension.some(({ valueBoolean }) => valueBoolean),
    };
  });

/** The lead first, then practitioners by their names, and organizations at the end. */
export const sortMembers = (members: readonly Member[]): readonly Member[] => {
  const rank = ({ isLead, reference }: Member) => {
    if (isLead) return 0;
    return reference.startsWith('Practitioner/') ? 1 : 2;
  };
  return members.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
};

/**
 * The members who are inactive, as the API says what they are, the latest first. The versions of the active team, the newest first, say
 * when each left; empty for one who was never active here.
 */
export const departuresIn = (
  inactive: Pick<CareTeam, 'participant'>,
  newestFirst: readonly (CareTeam & ResourceVersion)[],
): readonly Departure[] => {
  const leftAt = new Map<string, string>();
  for (const [index, team] of newestFirst.entries())
    for (const { reference } of membersOf(team))
      if (!leftAt.has(reference)) leftAt.set(reference, newestFirst[index - 1]?.meta?.lastUpdated ?? '');
  return membersOf(inactive)
    .map((member) => ({ ...member, leftAt: leftAt.get(member.reference) ?? '' }))
    .toSorted((a, b) => b.leftAt.localeCompare(a.leftAt));
};
