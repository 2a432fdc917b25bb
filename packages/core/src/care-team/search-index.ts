import type { SearchParameterTable } from '../search/parameters.ts';
import { participantStatuses } from './model.ts';

/** Source: interface, "CareTeam search parameters". */
export const careTeamParameters = {
  participant: { kind: 'reference', types: ['Practitioner', 'Organization'] },
  patient: { kind: 'patient' },
  status: { kind: 'token', codes: participantStatuses },
} as const satisfies SearchParameterTable;
