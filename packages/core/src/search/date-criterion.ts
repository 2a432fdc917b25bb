import { parseInterval } from '../fhir/date-time.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import type { Interval } from '../store/index-entry.ts';
import { type DateCriterion, datePrefixes } from '../store/query.ts';

/** FHIR recommends that "approximately" allows a tenth of the time between now and the value. */
const widenInterval = ({ from, until }: Interval, now: number): Interval => {
  const allowance = Math.round(Math.abs(now - from) / 10);
  return { from: from - allowance, until: until + allowance };
};

/**
 * Parses a date or time with an optional prefix; returns null for anything else. Source: FHIR R4, Search, 3.1.1.4.7.
 */
export const parseDateCriterion =
  (zone: TimeZone, now: number) =>
  (value: string): DateCriterion | null => {
    const prefix = datePrefixes.find((one) => value.startsWith(one));
    const text = value.slice(prefix?.length ?? 0);
    // An unescaped plus sign of an offset has become a space in the query string.
    const interval = parseInterval(text.replace(/ (?=\d\d:\d\d$)/, '+'), zone);
    if (interval === null) return null;
    return { prefix: prefix ?? 'eq', ...(prefix === 'ap' ? widenInterval(interval, now) : interval) };
  };
