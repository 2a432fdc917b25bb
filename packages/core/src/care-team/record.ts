import { memberTypes, parseTeamId, participantStatuses, teamId } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { usCoreProfile } from '../fhir/bundle.ts';
import { createReference, subjectReferences } from '../fhir/reference.ts';
import type { RecordDefinition, ResourceFacts } from '../records/definition.ts';
import { addCommonElements, isStoredAsConforming, resourceLabels, type StoredText } from '../records/page.ts';
import type { ExistingRecord } from '../records/transact.ts';
import { withFieldParameters } from '../search/field-parameters.ts';
import { commonParameters, indexerOf, type StoredParameterTable } from '../search/index-entries.ts';
import type { StoredSearchInput } from '../search/search-input.ts';
import {
  type ActivePart,
  type CareTeam,
  type CareTeamRole,
  type CareTeamState,
  leadUrl,
  type Participant,
  type TeamRecord,
} from './model.ts';

/** Each practitioner carries the lead marker, true or false; organizations, who cannot lead, carry none. */
const deriveParticipant =
  (extensionBase: string) =>
  ({ member, role, lead }: Participant): NonNullable<CareTeam['participant']>[number] => ({
    ...(member.type === 'Practitioner' && {
      extension: [{ url: leadUrl(extensionBase), valueBoolean: lead }],
    }),
    ...(role !== null && { role: [{ coding: [role] }] }),
    member: { ...createReference(member.type, member.id), display: member.display },
  });

/** The care team that derives from the participants of one status. Source: docs/http-interface.md#careteam. */
export const deriveCareTeam =
  (extensionBase: string) =>
  ({ patient, participants, status }: CareTeamState & Pick<TeamRecord, 'status'>): CareTeam => {
    // A patient without a first name has no comma: a FHIR string does not end in a space.
    const name = [patient.lastName, patient.firstName ?? ''].filter((part) => part !== '').join(', ');
    return {
      resourceType: 'CareTeam',
      id: teamId(patient.id, status),
      status,
      name: `Care Team for ${name}`,
      subject: { ...createReference('Patient', patient.id), display: name },
      ...(participants.length > 0 && { participant: participants.map(deriveParticipant(extensionBase)) }),
    };
  };

/** Whether anybody is in a team, in whatever status. */
export const hasParticipants = ({ participants, otherStatuses }: ActivePart): boolean =>
  participants.length + otherStatuses.length > 0;

/** When a team was last modified: the newest change of its members; of a team without any, the patient's own. */
export const lastModified = (active: ActivePart): number =>
  hasParticipants(active) ? active.changedAt : active.patient.lastModified;

/**
 * The time of a change to a team. It is now or, if that is later, the beginning of the second after the last change.
 * The header `If-Unmodified-Since` is compared in whole seconds, so two changes never share one. This also holds after the
 * clock was set back.
 */
export const dateNextChange = ({ stored, state }: ExistingRecord<ActivePart>, now: number): number => {
  const latest = Math.max(stored.at, lastModified(state));
  return Math.max(now, (Math.floor(latest / 1_000) + 1) * 1_000);
};

/** The role that US Core demands of a participant without one. Source: US Core 6.1.0, General Guidance, Missing Data. */
export const absentRole: CareTeamRole = {
  system: 'http://terminology.hl7.org/CodeSystem/data-absent-reason',
  code: 'unknown',
  display: 'Unknown',
};

/** Whether a coding only says that a role is absent. */
export const isAbsentRole = (coding: { readonly system?: unknown; readonly code?: unknown }): boolean =>
  coding.system === absentRole.system && coding.code === absentRole.code;

/** The codings of the roles of all participants. One without a role is found by its absence. */
const rolesOf = ({ participant = [] }: CareTeam) =>
  participant.flatMap(({ role = [{ coding: [absentRole] }] }) => role.flatMap(({ coding }) => coding));

/** Source: docs/http-interface.md#careteam. */
export const careTeamParameters = {
  /** The id of the resource: the patient's id, or that with `.<status>`. */
  _id: {
    kind: 'id',
    /** The id of the patient of a team. */
    patientIdOf: (id: string) => parseTeamId(id).patientId,
  },
  /** When the last version was written, as `meta.lastUpdated` says: a time, with a prefix such as `ge` or without. */
  _lastUpdated: { kind: 'lastUpdated' },
  /** A member: `Practitioner/<id>` or `Organization/<id>`. */
  participant: { kind: 'reference', at: 'participant.member', types: memberTypes, hasPresence: true },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
  /** The same as `patient`. */
  subject: { kind: 'patient' },
  /** The status of the participants. */
  status: {
    kind: 'token',
    at: 'status',
    system: 'http://hl7.org/fhir/care-team-status',
    codes: participantStatuses,
  },
  /** The role of a participant: `code`, `system|code` or `system|`. */
  role: { kind: 'token', at: rolesOf, version: 1 },
  ...commonParameters(usCoreProfile('CareTeam')),
} as const satisfies StoredParameterTable<CareTeam>;

/** The search parameters of care teams. Source: docs/http-interface.md#careteam. */
export interface CareTeamSearch extends StoredSearchInput<typeof careTeamParameters> {}

export const careTeamFacts: ResourceFacts<'CareTeam', CareTeam> = {
  type: 'CareTeam',
  initial: 'C',
  profile: usCoreProfile('CareTeam'),
  inError: 'status',
  // A team has participants, and each has a role.
  conforms: ({ participant = [] }) =>
    participant.length > 0 && participant.every(({ role }) => role !== undefined),
  parameters: careTeamParameters,
  references: { ...subjectReferences, participant: ['participant', 'member'] },
  elements: { mandatory: ['subject', 'participant'], summary: ['identifier', 'status', 'name'] },
};

const withAbsentRoles = ({ participant, meta: _, ...team }: CareTeam): CareTeam =>
  participant === undefined
    ? team
    : { ...team, participant: participant.map((shown) => ({ role: [{ coding: [absentRole] }], ...shown })) };

/** The text of a care team in which each participant has a role. A team that conforms is shown as it is stored. */
export const addAbsentRoles = ({ id, resource }: StoredText): string =>
  isStoredAsConforming('CareTeam', { id, resource })
    ? resource
    : JSON.stringify(
        addCommonElements(
          careTeamFacts,
          withAbsentRoles(JSON.parse(resource)),
          resourceLabels('CareTeam', { id, resource }),
        ),
      );

/** How the text of a stored care team is shown: as it is, or as US Core demands it. */
export const createTeamPresenter = (usCore: boolean): ((team: StoredText) => string) =>
  usCore ? addAbsentRoles : ({ resource }) => resource;

const agreement: RecordDefinition<TeamRecord>['agreement'] = {
  // The parts of the other statuses check each record of the team, so that it is checked if any of them exists.
  among: ({ patient, status }) =>
    status === 'active'
      ? []
      : participantStatuses.map((each) => ({ type: 'CareTeam', id: teamId(patient.id, each) })),
  isSound: (records) => {
    const members = records
      .flatMap(({ participants }) => participants)
      .map(({ member: { type, id } }) => `${type}/${id}`);
    const isInPlace = ({ status, participants }: TeamRecord) =>
      participants.every((participant) => participant.status === status);
    return new Set(members).size === members.length && records.every(isInPlace);
  },
};

/** The records of care teams, one for each status. A team that is not active is found only where it has participants. */
export const defineCareTeamRecord = ({
  zone,
  extensionBase,
  fields,
}: Pick<Environment, 'zone' | 'extensionBase' | 'fields'>): RecordDefinition<TeamRecord> => {
  const { parameters } = withFieldParameters(careTeamFacts, fields);
  return {
    type: 'CareTeam',
    id: ({ patient, status }) => teamId(patient.id, status),
    patientId: ({ patient }) => patient.id,
    derive: (record) => {
      const isEmpty = record.status !== 'active' && record.participants.length === 0;
      if (record.patient.replacedBy !== undefined || isEmpty) return null;
      const resource = addCommonElements(careTeamFacts, deriveCareTeam(extensionBase)(record), record.common);
      return {
        resource,
        index: indexerOf(parameters)(resource, zone),
      };
    },
    refersTo: ({ patient, participants }) => [
      { type: 'Patient', id: patient.id },
      { type: 'CareTeam', id: teamId(patient.id, 'active') },
      ...participants.map(({ member: { type, id } }) => ({ type, id })),
    ],
    withPatient: null,
    agreement,
  };
};
