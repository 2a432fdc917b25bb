import { z } from 'zod';
import { type ParticipantStatus, participantStatuses } from '../directory/team-id.ts';
import type { Environment } from '../environment.ts';
import type { Issue } from '../errors.ts';
import { leftOutIssue } from '../fhir/issues.ts';
import {
  createSourceIdSchema,
  createSourceReader,
  locateNowInPeriod,
  readFirstMeaning,
  type SourceConcept,
  type SourceReader,
  sourceConcept,
  sourceElements,
  withoutVersion,
} from '../fhir/source-resource.ts';
import { isAbsentRole } from './absent-roles.ts';
import { findConfiguredRole } from './configured-roles.ts';
import { type CareTeamRole, leadUrl, type Member, parseMember } from './model.ts';

const sourceCareTeamSchema = z.object({
  id: sourceElements.id,
  status: z.enum(participantStatuses).optional(),
  subject: createSourceIdSchema('Patient'),
  period: sourceElements.period.optional(),
  participant: z
    .array(
      z.object({
        extension: sourceElements.extensions,
        role: z.array(sourceConcept).optional(),
        member: sourceElements.reference.optional(),
        period: sourceElements.period.optional(),
      }),
    )
    .optional(),
});

/** Whether a role says more than that there is none, as US Core demands it of an organization without a role. */
const isPresent = ({ coding = [] }: SourceConcept): boolean =>
  coding.length === 0 || !coding.every(isAbsentRole);

/** A participant of another system's team; `member` is null where it is of no type that takes part here. */
export type SourceParticipant = {
  readonly element: string;
  readonly member: Member | null;
  readonly role: CareTeamRole | undefined;
  readonly status: ParticipantStatus;
  readonly lead: boolean;
};

export type SourceCareTeam = {
  readonly patientId: string;
  readonly status: ParticipantStatus;
  readonly participants: readonly SourceParticipant[];
};

/**
 * Reads a source's care team, as far as its roles are configured here. A participant of an active team is proposed until the
 * periods of the team and of the participant have begun, and inactive once one of them is over.
 */
export const createCareTeamSourceReader = ({
  now,
  zone,
  extensionBase,
  roles: configuredRoles,
}: Pick<Environment, 'now' | 'zone' | 'extensionBase'> & {
  readonly roles: readonly CareTeamRole[];
}): SourceReader<SourceCareTeam> =>
  createSourceReader(
    sourceCareTeamSchema,
    'CareTeam',
    ({ status = 'active', subject, period: ofTeam, participant = [] }) => {
      const timeOf = locateNowInPeriod({ now: now(), zone });
      const issues: Issue[] = [];
      const participants = participant.map(
        ({ extension = [], role = [], period, ...sent }, index): SourceParticipant => {
          const element = `CareTeam.participant[${index}]`;
          const member = parseMember(withoutVersion(sent.member ?? {}));
          const roles = member?.type === 'Organization' ? role.filter(isPresent) : role;
          const roleReading = readFirstMeaning(roles, `${element}.role`, (coding) =>
            findConfiguredRole(configuredRoles, coding),
          );
          // A practitioner without a role is reported when the teams are merged: a practitioner on a team must have one.
          if (member?.type === 'Organization' || (member !== null && roleReading.value !== undefined))
            for (const issue of roleReading.issues) issues.push(issue);
          const leadMarkers = extension.filter(({ url }) => url === leadUrl(extensionBase));
          if (leadMarkers.some(({ valueBoolean }) => valueBoolean === undefined))
            issues.push(leftOutIssue(`${element}.extension`));
          const times = [timeOf(ofTeam), timeOf(period)];
          const statusInActiveTeam = times.includes('after')
            ? 'inactive'
            : times.includes('before')
              ? 'proposed'
              : 'active';
          return {
            element,
            member,
            role: roleReading.value,
            status: status === 'active' ? statusInActiveTeam : status,
            lead: leadMarkers.some(({ valueBoolean }) => valueBoolean),
          };
        },
      );
      return { value: { patientId: subject, status, participants }, issues };
    },
  );
