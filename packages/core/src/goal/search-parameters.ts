import type { SearchParameterTable } from '../search/parameters.ts';

/** Source: interface, "Goal", search parameters. Both are answered from the records themselves. */
export const goalParameters = {
  _id: { kind: 'id' },
  patient: { kind: 'patient' },
} as const satisfies SearchParameterTable;
