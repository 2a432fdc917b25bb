import type { TimeZone } from '../fhir/time-zone.ts';
import { dateEntries, tokenEntries } from '../search/index-entries.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import type { SearchInput } from '../search/search-input.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import { type Goal, goalStatuses } from './model.ts';

/** Source: docs/http-interface.md#goal. */
export const goalParameters = {
  /** The id of the resource. */
  _id: { kind: 'id' },
  /** When the last version was written, as `meta.lastUpdated` says: a time, with a prefix such as `ge` or without. */
  _lastUpdated: { kind: 'lastUpdated' },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
  /** The same as `patient`. */
  subject: { kind: 'patient' },
  /** The state of the goal. */
  'lifecycle-status': {
    kind: 'token',
    codes: goalStatuses,
    unusedCodes: ['proposed', 'planned', 'accepted', 'on-hold', 'cancelled', 'rejected'],
    indexedSince: 2,
  },
  /** The due date: a date, with a prefix such as `ge` or without. */
  'target-date': { kind: 'date', indexedSince: 2 },
  /** The goal in words, from the first to the last, as they are written. */
  description: { kind: 'token', indexedSince: 2 },
} as const satisfies SearchParameterTable;

/** The search parameters of goals. Source: docs/http-interface.md#goal. */
export interface GoalSearch extends SearchInput<typeof goalParameters> {}

export const indexGoal = (goal: Goal, zone: TimeZone): readonly IndexEntry[] => [
  ...tokenEntries('lifecycle-status', [
    { system: 'http://hl7.org/fhir/goal-status', code: goal.lifecycleStatus },
  ]),
  ...dateEntries('target-date', goal.target?.[0]?.dueDate, zone),
  ...tokenEntries('description', [{ system: '', code: goal.description.text }]),
];
