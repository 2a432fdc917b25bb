import { z } from 'zod';
import type { Environment } from '../environment.ts';
import type { Fault } from '../errors.ts';
import { leftOut } from '../fhir/faults.ts';
import {
  type ForeignReading,
  firstMeaning,
  foreign,
  foreignConcept,
  foreignIdOf,
  foreignReading,
  nowInPeriod,
  unversioned,
} from '../fhir/foreign.ts';
import {
  type CareTeamRole,
  leadUrl,
  type Member,
  memberNamed,
  type ParticipantStatus,
  participantStatuses,
} from './model.ts';
import { configuredRole } from './roles.ts';

const foreignCareTeam = z.object({
  id: foreign.id,
  status: z.enum(participantStatuses).optional(),
  subject: foreignIdOf('Patient'),
  period: foreign.period.optional(),
  participant: z
    .array(
      z.object({
        extension: foreign.extensions,
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
  readonly lead: boolean;
};

export type ForeignCareTeam = {
  readonly patientId: string;
  readonly participants: readonly ForeignParticipant[];
};

/**
 * Reads a care team of another system, as far as its roles are configured here. A participant of an active team is inactive
 * once the period of the team or of the participant is over, and proposed until both have begun.
 */
export const careTeamFromFhir = ({
  now,
  zone,
  extensionBase,
  roles,
}: Pick<Environment, 'now' | 'zone' | 'extensionBase' | 'roles'>): ForeignReading<ForeignCareTeam> =>
  foreignReading(
    foreignCareTeam,
    'CareTeam',
    ({ status = 'active', subject, period: ofTeam, participant = [] }) => {
      const timeOf = nowInPeriod({ now: now(), zone });
      const faults: Fault[] = [];
      const participants = participant.map(
        ({ extension = [], role = [], period, ...sent }, index): ForeignParticipant => {
          const element = `CareTeam.participant[${index}]`;
          const member = memberNamed(unversioned(sent.member ?? {}));
          const counting = firstMeaning(role, `${element}.role`, (coding) => configuredRole(roles, coding));
          // Of a practitioner without any, it is told when the team is joined: without a role, none takes part.
          if (member?.type === 'Organization' || (member !== null && counting.read !== undefined))
            for (const fault of counting.faults) faults.push(fault);
          const markers = extension.filter(({ url }) => url === leadUrl(extensionBase));
          if (markers.some(({ valueBoolean }) => valueBoolean === undefined))
            faults.push(leftOut(`${element}.extension`));
          const times = [timeOf(ofTeam), timeOf(period)];
          const ifActive = times.includes('after')
            ? 'inactive'
            : times.includes('before')
              ? 'proposed'
              : 'active';
          return {
            element,
            member,
            role: counting.read,
            status: status === 'active' ? ifActive : status,
            lead: markers.some(({ valueBoolean }) => valueBoolean),
          };
        },
      );
      return { read: { patientId: subject, participants }, faults };
    },
  );
