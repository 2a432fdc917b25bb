import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { z } from 'zod';
import type { ClinicalError, Fault } from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import { intervalOf } from '../fhir/date-time.ts';
import { foreign, foreignConcept, foreignReferenceTo } from '../fhir/foreign.ts';
import { idIn } from '../fhir/reference.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import { careTeamFault } from './faults.ts';
import {
  type CareTeamRole,
  configuredRole,
  isSameMember,
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
  participant: z
    .array(
      z.object({
        role: z.array(foreignConcept).optional(),
        member: foreign.reference.optional(),
        period: z.object({ end: foreign.dateTime.optional() }).optional(),
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

/** Reads a care team of another system, as far as its roles are configured here. Whose time in it is over is inactive. */
export const careTeamFromFhir =
  ({ roles, now, zone }: Reading) =>
  (resource: unknown): E.Either<ClinicalError, ForeignCareTeam> =>
    pipe(
      parseBody(foreignCareTeam, 'CareTeam')(resource, 'lenient'),
      E.map(({ status = 'active', subject, participant = [] }) => ({
        patientId: idIn(subject),
        participants: participant.map(({ role = [], member, period }, index) => {
          const end = intervalOf(period?.end ?? '', zone);
          return {
            element: `CareTeam.participant[${index}]`,
            member: memberNamed(member?.reference ?? ''),
            role: configuredRole(
              roles,
              role.flatMap(({ coding = [] }) => coding),
            ),
            status: status === 'active' && end !== null && end.until <= now ? 'inactive' : status,
          };
        }),
      })),
    );

/** A participant of another system's team, under the name that the directory knows; null where it knows none. */
export type Newcomer = ForeignParticipant & { readonly display: string | null };

type Joined = { readonly team: Team; readonly faults: readonly Fault[] };

/**
 * The team, joined by those of another system's team who are not in it yet, in whatever status: whoever the clinic itself
 * has changed or made inactive stays so. Those whom a rule keeps out are reported, and keep no one else out; so are those
 * who are active there and not here.
 */
export const joined = (team: Team, newcomers: readonly Newcomer[], at: number): Joined => {
  /** What is wrong with somebody who is in the team already. */
  const faultOfPresent = (present: Participant, { element, status, role }: Newcomer): readonly Fault[] => {
    if (status !== 'active') return [];
    if (present.status !== 'active') return [careTeamFault('left-as-it-is', element)];
    // The clinic may have given another role to a member who was in the team before.
    const hasOtherRole = role !== undefined && role !== present.role && !team.participants.includes(present);
    return hasOtherRole ? [careTeamFault('participant-once', element)] : [];
  };

  // Somebody who is listed twice is active if any of the entries is.
  const activeFirst = newcomers.toSorted(
    (one, other) => Number(other.status === 'active') - Number(one.status === 'active'),
  );
  return activeFirst.reduce<Joined>(
    ({ team: before, faults }, newcomer) => {
      const { element, member, display, role, status } = newcomer;
      if (member === null || display === null) {
        return { team: before, faults: [...faults, careTeamFault('no-member', `${element}.member`)] };
      }
      const present = before.participants.find((one) => isSameMember(one.member, member));
      if (present !== undefined)
        return { team: before, faults: [...faults, ...faultOfPresent(present, newcomer)] };
      const after = setStatus(before, { member: { ...member, display }, status, role }, at);
      return E.isRight(after)
        ? { team: after.right, faults }
        : {
            team: before,
            faults: [...faults, ...after.left.map((fault) => ({ ...fault, expression: element }))],
          };
    },
    { team, faults: [] },
  );
};
