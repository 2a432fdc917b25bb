import type { SearchParameterTable } from '../search/parameters.ts';

/** Source: interface, "Immunization", search parameters. Both are answered from the records themselves. */
export const immunizationParameters = {
  _id: { kind: 'id' },
  patient: { kind: 'patient' },
} as const satisfies SearchParameterTable;
