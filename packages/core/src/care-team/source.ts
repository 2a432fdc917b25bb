import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import {
  displayOf,
  type ParticipantStatus,
  participantStatuses,
  unknownEntryIssue,
} from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import type { Issue, Outcome } from '../errors.ts';
import { isSameSystem } from '../fhir/coding.ts';
import { attachFields, type CommonElements } from '../fhir/common-elements.ts';
import { parseInterval } from '../fhir/date-time.ts';
import { essential } from '../fhir/element.ts';
import { leftOutIssue } from '../fhir/issues.ts';
import { isObject } from '../fhir/schema.ts';
import {
  createCommonReader,
  createSourceIdSchema,
  createSourceReader,
  joinSourceElements,
  locateNowInPeriod,
  type PartOfPeriod,
  readFirstMeaning,
  type SentResource,
  type SourceConcept,
  type SourceReader,
  type SourceReading,
  sourceConcept,
  sourceElements,
  withoutVersion,
} from '../fhir/source-resource.ts';
import { createFieldReader } from '../host-fields/read-fields.ts';
import {
  type ImportContext,
  type ImportOutcome,
  type ResourceImporter,
  waitingDecision,
} from '../importer/import-definition.ts';
import { findLostElements, importIssue } from '../importer/import-report.ts';
import type { OtherVersion } from '../importer/other-formats.ts';
import { createVersionCheck, recordExists } from '../records/transact.ts';
import type { VersionCheck } from '../store/port.ts';
import { type ImportedParticipant, mergeImported, type SourceParticipant } from './merge-imported.ts';
import { type CareTeamRole, type CareTeamState, isSameMember, leadUrl, parseMember } from './model.ts';
import { dateNextChange, deriveCareTeam, isAbsentRole } from './record.ts';
import { careTeamIssue } from './rules.ts';
import { stateOf, type TeamRecords } from './team-records.ts';

/** A period whose end says that there is one, even where it cannot be read. */
const membershipPeriod = z.object({ start: sourceElements.dateTime.optional(), end: z.unknown().optional() });

const sourceCareTeamSchema = z.object({
  id: sourceElements.id,
  status: essential(z.enum(participantStatuses).optional()),
  subject: createSourceIdSchema('Patient'),
  period: membershipPeriod.optional(),
  participant: z
    .array(
      z.object({
        extension: sourceElements.extensions,
        role: z.array(sourceConcept).optional(),
        member: sourceElements.reference.optional(),
        period: membershipPeriod.optional(),
      }),
    )
    .optional(),
});

/** Whether a role says more than that there is none, as US Core demands it of an organization without a role. */
const isStatedRole = ({ coding = [] }: SourceConcept): boolean =>
  coding.length === 0 || !coding.every(isAbsentRole);

/** Whether a participant has a role as in STU3, where R4 has a list of roles. */
const hasOneRole = ({ participant }: SentResource): boolean =>
  Array.isArray(participant) && participant.some((one) => isObject(one) && isObject(one.role));

/** Where the present is in a period. One with an end that cannot be read is over: without an end, it would go on. */
const createMembershipReader = ({ now, zone }: Parameters<typeof locateNowInPeriod>[0]) => {
  const locateNow = locateNowInPeriod({ now, zone });
  return (
    element: string,
    { start, end }: z.infer<typeof membershipPeriod> = {},
  ): SourceReading<PartOfPeriod> => {
    if (end === undefined) return { value: locateNow({ start }), issues: [] };
    if (typeof end === 'string' && parseInterval(end, zone) !== null)
      return { value: locateNow({ start, end }), issues: [] };
    const issue = leftOutIssue(
      `${element}.period.end`,
      'Because it cannot be read, the period counts as over.',
    );
    return { value: 'after', issues: [issue] };
  };
};

type TeamSourceSettings = Pick<Environment, 'now' | 'zone' | 'extensionBase' | 'fields'>;

export type SourceCareTeam = {
  readonly patientId: string;
  readonly common: CommonElements | undefined;
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
  fields,
  roles: configuredRoles,
}: TeamSourceSettings & {
  readonly roles: readonly CareTeamRole[];
}): SourceReader<SourceCareTeam> => {
  const readCommon = createCommonReader('CareTeam', createFieldReader('CareTeam', fields?.get('CareTeam')));
  return createSourceReader(
    sourceCareTeamSchema,
    'CareTeam',
    ({ status = 'active', subject, period: ofTeam, participant = [] }, sent) => {
      const timeOf = createMembershipReader({ now: now(), zone });
      const team = timeOf('CareTeam', ofTeam);
      const issues: Issue[] = [...team.issues];
      const participants = participant.map(
        ({ extension = [], role = [], period, ...sent }, index): SourceParticipant => {
          const element = `CareTeam.participant[${index}]`;
          const member = parseMember(withoutVersion(sent.member ?? {}));
          const roles = member?.type === 'Organization' ? role.filter(isStatedRole) : role;
          const roleReading = readFirstMeaning(roles, `${element}.role`, (coding) =>
            configuredRoles.find(
              ({ system, code }) => isSameSystem(coding.system, system) && coding.code === code,
            ),
          );
          // A practitioner without a role is reported when the teams are merged: a practitioner on a team must have one.
          if (member?.type === 'Organization' || (member !== null && roleReading.value !== undefined))
            for (const issue of roleReading.issues) issues.push(issue);
          const leadMarkers = extension.filter(({ url }) => url === leadUrl(extensionBase));
          if (leadMarkers.some(({ valueBoolean }) => valueBoolean === undefined))
            issues.push(leftOutIssue(`${element}.extension`));
          const membership = timeOf(element, period);
          for (const issue of membership.issues) issues.push(issue);
          const times = [team.value, membership.value];
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
      const common = readCommon(sent);
      return {
        value: { patientId: subject, common: common.value, status, participants },
        issues: [...issues, ...common.issues],
      };
    },
    { isOtherVersion: hasOneRole },
  );
};

/** The participants with a known member, the version checks of their names, and the issues of the others: of unknown ones in `dropped`. */
type ImportableParticipants = {
  readonly imported: readonly ImportedParticipant[];
  readonly versionChecks: readonly VersionCheck[];
  readonly issues: readonly Issue[];
  readonly dropped: readonly Issue[];
};

/** Reports the participants who are entered in error in the source and have another status here, which they keep. */
const checkRetracted = (
  { participants }: CareTeamState,
  imported: readonly ImportedParticipant[],
): readonly Issue[] =>
  imported
    .filter(({ status }) => status === 'entered-in-error')
    .filter(({ member, status }) =>
      participants.some((existing) => isSameMember(existing.member, member) && existing.status !== status),
    )
    .map(({ element }) => importIssue('entered-in-error-at-source', element));

/** A team with only the participants who are in the source's team, too. */
const withSharedParticipants = (
  team: CareTeamState,
  imported: readonly ImportedParticipant[],
): CareTeamState => ({
  ...team,
  participants: team.participants.filter((participant) =>
    imported.some(({ member }) => isSameMember(participant.member, member)),
  ),
});

/** Adds the names of the members. Null where an unknown member may still come. */
const nameMembers = async (
  participants: readonly SourceParticipant[],
  { directory, isLastPass }: ImportContext,
): Outcome<ImportableParticipants | null> => {
  const imported: ImportedParticipant[] = [];
  const versionChecks: VersionCheck[] = [];
  const issues: Issue[] = [];
  const dropped: Issue[] = [];
  for (const participant of participants) {
    const { member, element } = participant;
    if (member === null) {
      issues.push(careTeamIssue('invalid-member', `${element}.member`));
      continue;
    }
    const loaded = await directory.find(member.type, member.id);
    if (E.isLeft(loaded)) return loaded;
    if (recordExists(loaded.right)) {
      imported.push({ ...participant, member: { ...member, display: displayOf(loaded.right.state) } });
      versionChecks.push(createVersionCheck({ type: member.type }, loaded.right));
    } else if (!isLastPass) return E.right(null);
    else dropped.push(unknownEntryIssue(member.type, element));
  }
  return E.right({ imported, versionChecks, issues, dropped });
};

/** A resource is compared with its participants in every status. Its own status is kept if one of them has it. */
const createLostElements = (extensionBase: string) => {
  const derive = deriveCareTeam(extensionBase);
  return (resource: unknown, sentStatus: ParticipantStatus, shared: CareTeamState) => {
    const statuses = shared.participants.map((participant) => participant.status);
    const [status = sentStatus] = statuses.includes(sentStatus) ? [sentStatus] : statuses;
    return findLostElements(
      resource,
      {
        ...attachFields(derive({ ...shared, status }), shared.common?.fields),
        meta: shared.common,
        identifier: shared.common?.identifier,
      },
      'CareTeam',
    );
  };
};

/** Says what became of a team, and of the participants that were sent. */
const toImportOutcome = (
  issues: readonly Issue[],
  isKnown: boolean,
  { isWritten, ...lost }: Pick<ImportOutcome, 'lostElements' | 'errors'> & { readonly isWritten: boolean },
): ImportOutcome => {
  if (isWritten) return { countedAs: 'imported', issues, ...lost };
  if (isKnown) return { countedAs: 'unchanged', issues, ...lost };
  const nobody = importIssue('no-importable-participant', 'CareTeam.participant');
  return { countedAs: null, issues: [...issues, nobody], errors: lost.errors };
};

/** Imports the participants of another system's care teams into the one team of each patient. */
export const createCareTeamImporter = (
  environment: TeamSourceSettings,
  { teams, roles }: { readonly teams: TeamRecords; readonly roles: readonly CareTeamRole[] },
): ResourceImporter => {
  const read = createCareTeamSourceReader({ ...environment, roles });
  const lostElements = createLostElements(environment.extensionBase);

  return async (resource, context) => {
    const { directory } = context;
    const reading = read(resource);
    if (E.isLeft(reading)) return reading;
    const {
      value: { patientId, common, status, participants },
      issues: readingIssues,
    } = reading.right;
    const members = await nameMembers(participants, context);
    if (E.isLeft(members)) return members;
    if (members.right === null) return E.right(async () => E.right(waitingDecision));
    const patient = await directory.require('Patient', patientId, 'CareTeam.subject');
    if (E.isLeft(patient)) return patient;
    const named = members.right;
    const { imported, issues: memberIssues } = named;
    // An empty team has the patient's date of modification.
    const versionChecks = [
      ...members.right.versionChecks,
      createVersionCheck({ type: 'Patient' }, patient.right),
    ];
    return E.right(async () => {
      const loaded = await teams.load(directory, patientId);
      if (E.isLeft(loaded)) return loaded;
      const before = stateOf(loaded.right);
      const at = dateNextChange(loaded.right.head, environment.now());
      const { team: merged, issues, dropped } = mergeImported(before, imported, at);
      // The common elements join with the participants.
      const joined =
        merged === before
          ? { value: before.common, issues: [] }
          : joinSourceElements('CareTeam', before.common, common);
      const team = { ...merged, common: joined.value };
      const { changes, versionChecks: teamChecks } = teams.diff(loaded.right, team, { at, by: null });
      const allIssues = [
        ...readingIssues,
        ...memberIssues,
        ...checkRetracted(before, imported),
        ...issues,
        ...joined.issues,
      ];
      const isKnown = withSharedParticipants(before, imported).participants.length > 0;
      const shared = withSharedParticipants(team, imported);
      return E.right({
        changes,
        versionChecks: [...loaded.right.versionChecks, ...teamChecks, ...versionChecks],
        result: toImportOutcome(allIssues, isKnown, {
          errors: [...named.dropped, ...dropped],
          isWritten: changes.length > 0,
          lostElements: lostElements(resource, status, shared),
        }),
      });
    });
  };
};

export const otherVersions: readonly OtherVersion[] = [
  { version: 'STU3', element: 'participant.role', inR4: 'a list of roles', isIn: hasOneRole },
];
