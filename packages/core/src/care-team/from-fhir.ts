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
  leftOut,
  nowInPeriod,
  unversioned,
} from '../fhir/foreign.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import { careTeamFault } from './faults.ts';
import {
  type CareTeamRole,
  configuredRoles,
  type Member,
  memberNamed,
  type ParticipantStatus,
  participantStatuses,
} from './model.ts';

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
        const participants = participant.map(({ role = [], period, ...sent }, index): ForeignParticipant => {
          const element = `CareTeam.participant[${index}]`;
          const member = memberNamed(unversioned(sent.member ?? {}));
          const codings = role.flatMap(({ coding = [] }) => coding);
          const [first, second] = configuredRoles(roles, codings);
          if (second !== undefined) faults.push(careTeamFault('participant-once', element));
          // Of a practitioner, it is told when the team is joined: without a role, none takes part.
          if (member?.type === 'Organization' && role.length > 0 && first === undefined)
            faults.push(leftOut(`${element}.role`));
          const times = [timeOf(ofTeam), timeOf(period)];
          const ifActive = times.includes('after')
            ? 'inactive'
            : times.includes('before')
              ? 'proposed'
              : 'active';
          return {
            element,
            member,
            role: first,
            status: status === 'active' ? ifActive : status,
          };
        });
        return { read: { patientId: foreignIdIn(subject), participants }, faults };
      }),
    );
  };
