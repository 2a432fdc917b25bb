import { memberTypes } from '../directory/model.ts';
import { participantStatuses } from '../directory/team-id.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import type { SearchInput } from '../search/search-input.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { SearchCondition } from '../store/query.ts';
import type { TeamRecord } from './model.ts';

/** Source: docs/http-interface.md#careteam. */
export const careTeamParameters = {
  /** A member: `Practitioner/<id>` or `Organization/<id>`. */
  participant: { kind: 'reference', types: memberTypes },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
  /** The status of the participants. */
  status: { kind: 'token', codes: participantStatuses },
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

/** A team is found by its status, by the members who have it, and by whether there are any. */
export const indexCareTeam = ({ status, participants }: TeamRecord): readonly IndexEntry[] => [
  ...(participants.length > 0 ? [{ kind: 'token' as const, ...hasParticipantToken }] : []),
  { kind: 'token', parameter: 'status', system: 'http://hl7.org/fhir/care-team-status', code: status },
  ...participants.map(
    ({ member: { type, id } }): IndexEntry => ({ kind: 'reference', parameter: 'participant', type, id }),
  ),
];
