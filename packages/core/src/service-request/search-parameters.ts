import { parseInterval } from '../fhir/date-time.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import type { IndexEntry } from '../store/query.ts';
import { type ServiceRequest, serviceRequestStatuses } from './model.ts';

/** Source: interface, "ServiceRequest", search parameters. */
export const serviceRequestParameters = {
  _id: { kind: 'id' },
  patient: { kind: 'patient' },
  authored: { kind: 'date' },
  status: { kind: 'token', codes: serviceRequestStatuses },
  category: { kind: 'token' },
  code: { kind: 'token' },
} as const satisfies SearchParameterTable;

const tokenEntries = (
  parameter: string,
  codings: readonly { system: string; code: string }[],
): readonly IndexEntry[] => codings.map(({ system, code }) => ({ kind: 'token', parameter, system, code }));

export const indexServiceRequest = (request: ServiceRequest, zone: TimeZone): readonly IndexEntry[] => {
  const authored = parseInterval(request.authoredOn, zone);
  return [
    ...tokenEntries('status', [{ system: 'http://hl7.org/fhir/request-status', code: request.status }]),
    ...tokenEntries(
      'category',
      request.category.flatMap(({ coding }) => coding),
    ),
    ...tokenEntries('code', request.code.coding),
    ...(authored === null ? [] : [{ kind: 'date' as const, parameter: 'authored', ...authored }]),
  ];
};
