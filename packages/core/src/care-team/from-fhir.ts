import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { z } from 'zod';
import type { ClinicalError, Fault } from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import { foreign, foreignConcept, foreignReferenceTo } from '../fhir/foreign.ts';
import { idIn } from '../fhir/reference.ts';
import { careTeamFault } from './faults.ts';
import {
  type CareTeamRole,
  configuredRole,
  isSameMember,
  type Member,
  memberNamed,
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
    .array(z.object({ role: z.array(foreignConcept).optional(), member: foreign.reference.optional() }))
    .optional(),
});

/** A participant of another system's team; `member` is null where it is of no type that takes part here. */
export type ForeignParticipant = {
  readonly element: string;
  readonly member: Member | null;
  readonly role: CareTeamRole | undefined;
};

export type ForeignCareTeam = {
  readonly patientId: string;
  readonly status: ParticipantStatus;
  readonly participants: readonly ForeignParticipant[];
};

/** Reads a care team of another system, as far as its roles are configured here. */
export const careTeamFromFhir =
  (roles: readonly CareTeamRole[]) =>
  (resource: unknown): E.Either<ClinicalError, ForeignCareTeam> =>
    pipe(
      parseBody(foreignCareTeam, 'CareTeam')(resource, 'lenient'),
      E.map(({ status = 'active', subject, participant = [] }) => ({
        patientId: idIn(subject),
        status,
        participants: participant.map(({ role = [], member }, index) => ({
          element: `CareTeam.participant[${index}]`,
          member: memberNamed(member?.reference ?? ''),
          role: configuredRole(
            roles,
            role.flatMap(({ coding = [] }) => coding),
          ),
        })),
      })),
    );

/** A participant of another system's team, under the name that the directory knows; null where it knows none. */
export type Newcomer = ForeignParticipant & { readonly display: string | null };

/**
 * The team with the participants of another system's who are not in it yet, in whatever status: whoever the clinic
 * itself has changed or taken off stays as it is. Those whom a rule keeps out are told, and keep no one else out.
 */
export const joined = (
  team: Team,
  newcomers: readonly Newcomer[],
  { status, at }: { readonly status: ParticipantStatus; readonly at: number },
): { readonly team: Team; readonly faults: readonly Fault[] } =>
  newcomers.reduce<{ team: Team; faults: readonly Fault[] }>(
    ({ team: before, faults }, { element, member, display, role }) => {
      if (member === null || display === null) {
        return { team: before, faults: [...faults, careTeamFault('no-member', `${element}.member`)] };
      }
      if (before.participants.some((one) => isSameMember(one.member, member)))
        return { team: before, faults };
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
