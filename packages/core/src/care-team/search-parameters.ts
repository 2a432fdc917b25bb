import type { SearchParameterTable } from '../search/parameters.ts';
import type { IndexEntry } from '../store/query.ts';
import { memberTypes, participantStatuses, type TeamRecord } from './model.ts';

/** Source: interface, "CareTeam search parameters". */
export const careTeamParameters = {
  participant: { kind: 'reference', types: memberTypes },
  patient: { kind: 'patient' },
  status: { kind: 'token', codes: participantStatuses },
} as const satisfies SearchParameterTable;

/** A team is found by its status, and by the members who have it. */
export const indexCareTeam = ({ status, participants }: TeamRecord): readonly IndexEntry[] => [
  { kind: 'token', parameter: 'status', system: 'http://hl7.org/fhir/care-team-status', code: status },
  ...participants.map(
    ({ member: { type, id } }): IndexEntry => ({ kind: 'reference', parameter: 'participant', type, id }),
  ),
];
