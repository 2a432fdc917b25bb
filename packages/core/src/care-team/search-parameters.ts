import { memberTypes } from '../directory/model.ts';
import { participantStatuses } from '../directory/team-id.ts';
import { tokenEntries } from '../search/index-entries.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import type { SearchInput } from '../search/search-input.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { SearchCondition } from '../store/query.ts';
import { absentRole } from './absent-roles.ts';
import type { TeamRecord } from './model.ts';

/** Source: docs/http-interface.md#careteam. */
export const careTeamParameters = {
  /** When the last version was written, as `meta.lastUpdated` says: a time, with a prefix such as `ge` or without. */
  _lastUpdated: { kind: 'lastUpdated' },
  /** A member: `Practitioner/<id>` or `Organization/<id>`. */
  participant: { kind: 'reference', types: memberTypes },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
  /** The same as `patient`. */
  subject: { kind: 'patient' },
  /** The status of the participants. */
  status: { kind: 'token', codes: participantStatuses },
  /** The role of a participant: `code`, `system|code` or `system|`. */
  role: { kind: 'token', indexedSince: 2 },
} as const satisfies SearchParameterTable;

/** The search parameters of care teams. Source: docs/http-interface.md#careteam. */
export interface CareTeamSearch extends SearchInput<typeof careTeamParameters> {}

const hasParticipantToken = { parameter: 'participant:missing', system: '', code: 'false' } as const;

/** The condition that a team has participants: FHIR's `participant:missing=false`. */
export const hasParticipant: SearchCondition = {
  on: 'token',
  parameter: hasParticipantToken.parameter,
  anyOf: [{ system: hasParticipantToken.system, code: hasParticipantToken.code }],
};

/** The index version that the condition needs. */
export const hasParticipantSince = 2;

/** A team is found by its status, by the members who have it and their roles, and by whether there are any. */
export const indexCareTeam = ({ status, participants }: TeamRecord): readonly IndexEntry[] => [
  ...(participants.length > 0 ? [{ kind: 'token' as const, ...hasParticipantToken }] : []),
  ...tokenEntries('status', [{ system: 'http://hl7.org/fhir/care-team-status', code: status }]),
  ...participants.map(
    ({ member: { type, id } }): IndexEntry => ({ kind: 'reference', parameter: 'participant', type, id }),
  ),
  ...tokenEntries(
    'role',
    participants.map(({ role }) => role ?? absentRole),
  ),
];
