import type { SearchParameterTable } from '../search/parameters.ts';
import type { SearchInput } from '../search/search-input.ts';

/** Source: docs/http-interface.md#immunization. Both are answered from the records themselves. */
export const immunizationParameters = {
  /** The id of the resource. */
  _id: { kind: 'id' },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
} as const satisfies SearchParameterTable;

/** The search parameters of immunizations. Source: docs/http-interface.md#immunization. */
export interface ImmunizationSearch extends SearchInput<typeof immunizationParameters> {}
