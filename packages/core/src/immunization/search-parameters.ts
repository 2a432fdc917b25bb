import type { TimeZone } from '../fhir/time-zone.ts';
import { dateEntries, tokenEntries } from '../search/index-entries.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import type { SearchInput } from '../search/search-input.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import { type Immunization, immunizationStatuses } from './model.ts';

/** Source: docs/http-interface.md#immunization. */
export const immunizationParameters = {
  /** The id of the resource. */
  _id: { kind: 'id' },
  /** When the last version was written, as `meta.lastUpdated` says: a time, with a prefix such as `ge` or without. */
  _lastUpdated: { kind: 'lastUpdated' },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
  /** When it was given: a date or a time, with a prefix such as `ge` or without. */
  date: { kind: 'date', indexedSince: 2 },
  /** Whether it was given. */
  status: { kind: 'token', codes: immunizationStatuses, indexedSince: 2 },
} as const satisfies SearchParameterTable;

/** The search parameters of immunizations. Source: docs/http-interface.md#immunization. */
export interface ImmunizationSearch extends SearchInput<typeof immunizationParameters> {}

export const indexImmunization = (
  { status, occurrenceDateTime }: Immunization,
  zone: TimeZone,
): readonly IndexEntry[] => [
  ...tokenEntries('status', [{ system: 'http://hl7.org/fhir/event-status', code: status }]),
  ...dateEntries('date', occurrenceDateTime, zone),
];
