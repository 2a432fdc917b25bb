import { memberTypes } from '../directory/model.ts';
import { participantStatuses } from '../directory/team-id.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import type { SearchInput } from '../search/search-input.ts';
import type { IndexEntry } from '../store/index-entry.ts';
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

/** A team is found by its status, and by the members who have it. */
export const indexCareTeam = ({ status, participants }: TeamRecord): readonly IndexEntry[] => [
  { kind: 'token', parameter: 'status', system: 'http://hl7.org/fhir/care-team-status', code: status },
  ...participants.map(
    ({ member: { type, id } }): IndexEntry => ({ kind: 'reference', parameter: 'participant', type, id }),
  ),
];
