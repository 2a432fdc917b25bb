import * as E from 'fp-ts/lib/Either.js';
import type { ParticipantStatus } from '../directory/model.ts';
import type { Issue } from '../errors.ts';
import { leftOutIssue } from '../fhir/issues.ts';
import {
  type CareTeamRole,
  type CareTeamState,
  isSameMember,
  isSameRole,
  type Member,
  type Participant,
} from './model.ts';
import { careTeamIssue, setStatus } from './rules.ts';

/** A participant of another system's team; `member` is null if it has another type than members here. */
export type SourceParticipant = {
  readonly element: string;
  readonly member: Member | null;
  readonly role: CareTeamRole | undefined;
  readonly status: ParticipantStatus;
  readonly lead: boolean;
};

/** A participant of another system's team who can take part, under the name that the directory knows. */
export type ImportedParticipant = SourceParticipant & { readonly member: Participant['member'] };

/** The statuses by their distance from active: of several that a member has or gets, the nearest counts. */
const byDistance: readonly string[] = ['active', 'proposed', 'suspended', 'inactive', 'entered-in-error'];

export const isNearerToActive = (status: ParticipantStatus, than: ParticipantStatus): boolean =>
  byDistance.indexOf(status) < byDistance.indexOf(than);

/** The issues that every import reports for a participant who already exists and stays unchanged. */
const checkUnchangedParticipant = (
  existing: Participant,
  { member, status, role, element }: ImportedParticipant,
): readonly Issue[] => {
  const isInError = status === 'entered-in-error';
  const lacksRole = member.type === 'Practitioner' && role === undefined && !isInError;
  const hasOtherStatus = status === 'active' && existing.status !== 'active';
  const hasSameImportedStatus = existing.isImported && status === existing.status;
  const hasOtherRole = hasSameImportedStatus && role !== undefined && !isSameRole(role, existing.role);
  return [
    ...(lacksRole ? [careTeamIssue('role-required', element)] : []),
    ...(hasOtherStatus ? [careTeamIssue('participant-unchanged', element)] : []),
    ...(hasOtherRole ? [careTeamIssue('participant-once', element)] : []),
  ];
};

/** Whether an import adds something to an imported participant: a status nearer to active, or a role. */
const addsSomething = ({ status, role }: ImportedParticipant, existing: Participant): boolean =>
  existing.isImported === true &&
  (isNearerToActive(status, existing.status) ||
    (status === existing.status && role !== undefined && existing.role === null));

/**
 * The team with an imported participant as its lead, in the role beside the marker. It is null if somebody else leads. It
 * is also null if the clinic has added or changed a participant: the clinic may then want a team without a lead.
 */
const withImportedLead = (
  team: CareTeamState,
  { member, role, status }: ImportedParticipant,
  at: number,
): CareTeamState | null => {
  const currentLead = team.participants.find(({ lead }) => lead);
  if (currentLead !== undefined) return isSameMember(currentLead.member, member) ? team : null;
  if (member.type !== 'Practitioner' || role === undefined || status !== 'active') return null;
  const canLead = (participant: Participant) =>
    isSameMember(participant.member, member) &&
    participant.status === 'active' &&
    isSameRole(role, participant.role);
  const isImportedTeam = team.participants.every(({ isImported }) => isImported);
  if (!isImportedTeam || !team.participants.some(canLead)) return null;
  const participants = team.participants.map((participant) =>
    canLead(participant) ? { ...participant, lead: true, changedAt: at } : participant,
  );
  return { ...team, participants };
};

/**
 * Adds the participants of a source's team to a team. If several teams have a member, the status nearest to active counts,
 * in whatever order the teams arrive. A participant whom the clinic has added or changed stays unchanged.
 * A participant whom a rule excludes is in `dropped`, and does not exclude the others.
 */
export const mergeImported = (
  before: CareTeamState,
  imported: readonly ImportedParticipant[],
  at: number,
): {
  readonly team: CareTeamState;
  readonly issues: readonly Issue[];
  readonly dropped: readonly Issue[];
} => {
  let team = before;
  const issues: Issue[] = [];
  const dropped: Issue[] = [];
  for (const participant of imported) {
    const { element, member, role, status } = participant;
    const existing = team.participants.find((before) => isSameMember(before.member, member));
    if (existing !== undefined && !addsSomething(participant, existing)) {
      issues.push(...checkUnchangedParticipant(existing, participant));
    } else {
      const after = setStatus(team, { member, status, role: role ?? null, isImported: true }, at);
      if (E.isLeft(after)) dropped.push(...after.left.map((issue) => ({ ...issue, expression: element })));
      else team = after.right;
    }
    const withLead = participant.lead ? withImportedLead(team, participant, at) : team;
    if (withLead === null) issues.push(leftOutIssue(`${element}.extension`));
    team = withLead ?? team;
  }
  return { team, issues, dropped };
};
