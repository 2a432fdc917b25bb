import type { CareTeam, Versioned } from './resources.ts';

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

/** A member who left the active team: when, and by which version. */
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
 * The members who were active once and left, the latest first. Those who came back, or are in the parts of the team that are not
 * active, are not among them.
 */
export const departuresIn = (
  newestFirst: readonly (CareTeam & Versioned)[],
  otherParts: readonly CareTeam[],
): readonly Departure[] => {
  const departures = new Map<string, Departure>();
  const present = new Set(
    [...newestFirst.slice(0, 1), ...otherParts]
      .flatMap((team) => membersOf(team))
      .map(({ reference }) => reference),
  );
  newestFirst.forEach((team, index) => {
    const leftAt = newestFirst[index - 1]?.meta?.lastUpdated ?? '';
    for (const member of membersOf(team)) {
      if (present.has(member.reference) || departures.has(member.reference)) continue;
      departures.set(member.reference, { ...member, leftAt });
    }
  });
  return [...departures.values()];
};
