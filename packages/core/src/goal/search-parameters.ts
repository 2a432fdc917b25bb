import type { SearchParameterTable } from '../search/parameters.ts';
import type { SearchInput } from '../search/search-input.ts';

/** Source: docs/http-interface.md#goal. Both are answered from the records themselves. */
export const goalParameters = {
  /** The id of the resource. */
  _id: { kind: 'id' },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
} as const satisfies SearchParameterTable;

/** The search parameters of goals. Source: docs/http-interface.md#goal. */
export interface GoalSearch extends SearchInput<typeof goalParameters> {}
