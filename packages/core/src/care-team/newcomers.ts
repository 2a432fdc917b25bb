import * as E from 'fp-ts/lib/Either.js';
import type { Fault } from '../errors.ts';
import { leftOut } from '../fhir/faults.ts';
import { careTeamFault } from './faults.ts';
import type { ForeignParticipant } from './from-fhir.ts';
import { isSameMember, isSameRole, type Participant, type ParticipantStatus, type Team } from './model.ts';
import { setStatus } from './set-status.ts';
import { everyStatus, type NeededStatuses, statusesOf } from './team-parts.ts';

/** A participant of another system's team who can take part, under the name that the directory knows. */
export type Newcomer = ForeignParticipant & { readonly member: Participant['member'] };

/** How far each status is from active: of several that imports give to a member, the nearest counts. */
const distance: Readonly<Record<ParticipantStatus, number>> = {
  active: 0,
  proposed: 1,
  suspended: 2,
  inactive: 3,
  'entered-in-error': 4,
};

/** What is told, at every load, of a participant who is here already and stays as before. */
const faultsOfStaying = (
  present: Participant,
  { member, status, role, element }: Newcomer,
): readonly Fault[] => {
  const isInError = status === 'entered-in-error';
  const lacksRole = member.type === 'Practitioner' && role === undefined && !isInError;
  const isElsewhere = status === 'active' && present.status !== 'active';
  const isSaidAlike = present.isImported && status === present.status;
  const hasOtherRole = isSaidAlike && role !== undefined && !isSameRole(role, present.role);
  return [
    ...(lacksRole ? [careTeamFault('role-required', element)] : []),
    ...(isElsewhere ? [careTeamFault('left-as-it-is', element)] : []),
    ...(hasOtherRole ? [careTeamFault('participant-once', element)] : []),
  ];
};

/** Whether an import has something to add to a participant who is here by one: a status nearer to active, or a role. */
const adds = ({ status, role }: Newcomer, present: Participant): boolean =>
  present.isImported === true &&
  (distance[status] < distance[present.status] ||
    (status === present.status && role !== undefined && present.role === null));

/** What has to be known of a team that some join: where they are, and of one who is to lead, whether all is by import. */
export const statusesForNewcomers =
  (newcomers: readonly Newcomer[]): NeededStatuses =>
  (active) =>
    newcomers.some(({ lead }) => lead) && !active.participants.some(({ lead }) => lead)
      ? everyStatus(active)
      : statusesOf(newcomers.map(({ member }) => member))(active);

/**
 * The team, led by a newcomer in the role beside the marker; null where somebody else leads, or where it is not for an import
 * to say who does: once the clinic has added or changed anybody, it may want that nobody leads.
 */
const ledBy = (team: Team, { member, role, status }: Newcomer, at: number): Team | null => {
  const lead = team.participants.find((one) => one.lead);
  if (lead !== undefined) return isSameMember(lead.member, member) ? team : null;
  if (member.type !== 'Practitioner' || role === undefined || status !== 'active') return null;
  const canLead = (one: Participant) =>
    isSameMember(one.member, member) && one.status === 'active' && isSameRole(role, one.role);
  const isByImport = team.participants.every((one) => one.isImported);
  if (!isByImport || !team.participants.some(canLead)) return null;
  const participants = team.participants.map((one) =>
    canLead(one) ? { ...one, lead: true, changedAt: at } : one,
  );
  return { ...team, participants };
};

/**
 * The team, joined by those of another system's team. Of what several teams say of a member, the status that is nearest to
 * active counts, whatever the order in which they come; whoever the clinic itself has added or changed stays as it is.
 * Those whom a rule keeps out are reported, and keep no one else out.
 */
export const joined = (
  before: Team,
  newcomers: readonly Newcomer[],
  at: number,
): { readonly team: Team; readonly faults: readonly Fault[] } => {
  let team = before;
  const faults: Fault[] = [];
  for (const newcomer of newcomers) {
    const { element, member, role, status } = newcomer;
    const present = team.participants.find((one) => isSameMember(one.member, member));
    if (present !== undefined && !adds(newcomer, present)) {
      faults.push(...faultsOfStaying(present, newcomer));
    } else {
      const after = setStatus(team, { member, status, role: role ?? null, isImported: true }, at);
      if (E.isLeft(after)) faults.push(...after.left.map((fault) => ({ ...fault, expression: element })));
      else team = after.right;
    }
    const led = newcomer.lead ? ledBy(team, newcomer, at) : team;
    if (led === null) faults.push(leftOut(`${element}.extension`));
    team = led ?? team;
  }
  return { team, faults };
};
