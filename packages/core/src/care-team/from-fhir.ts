import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { z } from 'zod';
import type { ClinicalError, Fault } from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import {
  type Foreign,
  foreign,
  foreignConcept,
  foreignIdIn,
  foreignReferenceTo,
  nowInPeriod,
  unversioned,
} from '../fhir/foreign.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import { careTeamFault } from './faults.ts';
import {
  type CareTeamRole,
  configuredRoles,
  isSameMember,
  isSameRole,
  type Member,
  memberNamed,
  type Participant,
  type ParticipantStatus,
  participantStatuses,
  type Team,
} from './model.ts';
import { setStatus } from './set-status.ts';

const foreignCareTeam = z.object({
  id: foreign.id,
  status: z.enum(participantStatuses).optional(),
  subject: foreignReferenceTo('Patient'),
  period: foreign.period.optional(),
  participant: z
    .array(
      z.object({
        role: z.array(foreignConcept).optional(),
        member: foreign.reference.optional(),
        period: foreign.period.optional(),
      }),
    )
    .optional(),
});

/** A participant of another system's team; `member` is null where it is of no type that takes part here. */
export type ForeignParticipant = {
  readonly element: string;
  readonly member: Member | null;
  readonly role: CareTeamRole | undefined;
  readonly status: ParticipantStatus;
};

export type ForeignCareTeam = {
  readonly patientId: string;
  readonly participants: readonly ForeignParticipant[];
};

type Reading = {
  readonly roles: readonly CareTeamRole[];
  readonly now: number;
  readonly zone: TimeZone;
};

/**
 * Reads a care team of another system, as far as its roles are configured here. In an active team, whose time is over, or
 * whose team's, is inactive; whose time has not come is proposed.
 */
export const careTeamFromFhir =
  ({ roles, now, zone }: Reading) =>
  (resource: unknown): E.Either<ClinicalError, Foreign<ForeignCareTeam>> => {
    const timeOf = nowInPeriod({ now, zone });
    return pipe(
      parseBody(foreignCareTeam, 'CareTeam')(resource, 'lenient'),
      E.map(({ status = 'active', subject, period: ofTeam, participant = [] }) => {
        const faults: Fault[] = [];
        const participants = participant.map(({ role = [], member, period }, index): ForeignParticipant => {
          const element = `CareTeam.participant[${index}]`;
          const codings = role.flatMap(({ coding = [] }) => coding);
          const [first, second] = configuredRoles(roles, codings);
          if (second !== undefined) faults.push(careTeamFault('participant-once', element));
          const times = [timeOf(ofTeam), timeOf(period)];
          const now = times.includes('after') ? 'inactive' : times.includes('before') ? 'proposed' : status;
          return {
            element,
            member: memberNamed(unversioned(member ?? {})),
            role: first,
            status: status === 'active' ? now : status,
          };
        });
        return { read: { patientId: foreignIdIn(subject), participants }, faults };
      }),
    );
  };

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

/** What is wrong where somebody who is active elsewhere stays here as before. */
const faultOfStaying = (present: Participant, { status, role, element }: Newcomer): readonly Fault[] => {
  if (status !== 'active') return [];
  if (present.status !== 'active') return [careTeamFault('left-as-it-is', element)];
  const hasOtherRole = role !== undefined && !isSameRole(role, present.role);
  return hasOtherRole && present.isImported ? [careTeamFault('participant-once', element)] : [];
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
    if (present !== undefined && !(present.isImported && distance[status] < distance[present.status])) {
      faults.push(...faultOfStaying(present, newcomer));
      continue;
    }
    const after = setStatus(team, { member, status, role: role ?? null }, at);
    if (E.isLeft(after)) {
      faults.push(...after.left.map((fault) => ({ ...fault, expression: element })));
    } else {
      const marked = (one: Participant): Participant =>
        isSameMember(one.member, member) ? { ...one, isImported: true } : one;
      team = { ...after.right, participants: after.right.participants.map(marked) };
    }
  }
  return { team, faults };
};
