import { distanceFromActive } from './merge-imported.ts';
import { type CareTeamState, isSameMember, type Participant } from './model.ts';
import { checkParticipant, countParticipants } from './participant-rules.ts';

/** The participant as proposed if a rule excludes it from the active ones, such as a role that somebody else has. */
const proposeIfExcluded = (participant: Participant, others: readonly Participant[]): Participant => {
  if (participant.status !== 'active') return participant;
  const active = others.filter(({ status }) => status === 'active');
  const issues = checkParticipant(participant, countParticipants([...active, participant]), 'participant');
  return issues.length === 0 ? participant : { ...participant, status: 'proposed' };
};

/** The merge decides on the member, so an import does not change the participant any more. */
const join = (
  team: readonly Participant[],
  { isImported: _, ...joining }: Participant,
  at: number,
): readonly Participant[] => {
  const before = team.find(({ member }) => isSameMember(member, joining.member));
  if (before && distanceFromActive[before.status] <= distanceFromActive[joining.status]) return team;
  const others = team.filter((one) => one !== before);
  return [...others, proposeIfExcluded({ ...joining, lead: false, changedAt: at }, others)];
};

/**
 * The team of a patient after another patient was merged into this one, with the participants of both. A member of both
 * teams has the status that is nearest to active. The lead of the other team leads only if this team had nobody active.
 */
export const mergeTeams = (into: CareTeamState, from: CareTeamState, at: number): CareTeamState => {
  const participants = from.participants.reduce(
    (team, joining) => join(team, joining, at),
    into.participants,
  );
  const lead = from.participants.find((one) => one.lead);
  if (lead === undefined || into.participants.some(({ status }) => status === 'active')) {
    return { ...into, participants };
  }
  const leads = (one: Participant) => one.status === 'active' && isSameMember(one.member, lead.member);
  return { ...into, participants: participants.map((one) => (leads(one) ? { ...one, lead: true } : one)) };
};
