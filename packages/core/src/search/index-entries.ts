import { parseInterval } from '../fhir/date-time.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import type { IndexEntry } from '../store/index-entry.ts';

/** The most characters of a system or a code in an index entry, whose size databases limit. */
const maxText = 500;

/** The index entries of codes, by which a token parameter finds them. A longer code is not found. */
export const tokenEntries = (
  parameter: string,
  codings: readonly { readonly system: string; readonly code: string }[],
): readonly IndexEntry[] =>
  codings
    .filter(({ system, code }) => Math.max(system.length, code.length) <= maxText)
    .map(({ system, code }) => ({ kind: 'token', parameter, system, code }));

/** The index entry of a date, by which a date parameter finds it; empty without a date. */
export const dateEntries = (
  parameter: string,
  date: string | undefined,
  zone: TimeZone,
): readonly IndexEntry[] => {
  const interval = date === undefined ? null : parseInterval(date, zone);
  return interval === null ? [] : [{ kind: 'date', parameter, ...interval }];
};
