import type { TimeZone } from '../fhir/time-zone.ts';
import { dateEntries, tokenEntries } from '../search/index-entries.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import type { SearchInput } from '../search/search-input.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import { categories, orderKinds } from './categories.ts';
import { type ServiceRequest, serviceRequestStatuses } from './model.ts';

/** Source: docs/http-interface.md#servicerequest. */
export const serviceRequestParameters = {
  /** The id of the resource. */
  _id: { kind: 'id' },
  /** When the last version was written, as `meta.lastUpdated` says: a time, with a prefix such as `ge` or without. */
  _lastUpdated: { kind: 'lastUpdated' },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
  /** The same as `patient`. */
  subject: { kind: 'patient' },
  /** When it was authored: a date or a time, with a prefix such as `ge` or without. */
  authored: { kind: 'date' },
  /** The status of the order. */
  status: { kind: 'token', codes: serviceRequestStatuses, unusedCodes: ['on-hold', 'revoked', 'unknown'] },
  /** The classification of the order by SNOMED CT: imaging, laboratory work or a referral. */
  category: { kind: 'token', knownCodes: orderKinds.map((kind) => categories[kind].code) },
  /** The requested service: `code`, `system|code`, `system|` or `|code`. */
  code: { kind: 'token' },
} as const satisfies SearchParameterTable;

/** The search parameters of orders. Source: docs/http-interface.md#servicerequest. */
export interface ServiceRequestSearch extends SearchInput<typeof serviceRequestParameters> {}

export const indexServiceRequest = (request: ServiceRequest, zone: TimeZone): readonly IndexEntry[] => [
  ...tokenEntries('status', [{ system: 'http://hl7.org/fhir/request-status', code: request.status }]),
  ...tokenEntries(
    'category',
    request.category.flatMap(({ coding }) => coding),
  ),
  ...tokenEntries('code', request.code.coding),
  ...dateEntries('authored', request.authoredOn, zone),
];
