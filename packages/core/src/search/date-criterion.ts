import { parseInterval } from '../fhir/date-time.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import { type DateCriterion, datePrefixes, type Interval } from '../store/query.ts';

/** FHIR recommends a tenth of the time between now and the value as what "approximately" allows. */
const widenInterval = ({ from, until }: Interval, now: number): Interval => {
  const allowance = Math.round(Math.abs(now - from) / 10);
  return { from: from - allowance, until: until + allowance };
};

/** Reads a date or time behind an optional prefix; null for anything else. Source: FHIR R4, Search, 3.1.1.4.7. */
export const parseDateCriterion =
  (zone: TimeZone, now: number) =>
  (value: string): DateCriterion | null => {
    const prefix = datePrefixes.find((one) => value.startsWith(one));
    const text = value.slice(prefix?.length ?? 0);
    // An offset's plus sign that nobody escaped has become a space in the query string.
    const interval = parseInterval(text.replace(/ (?=\d\d:\d\d$)/, '+'), zone);
    if (interval === null) return null;
    return { prefix: prefix ?? 'eq', ...(prefix === 'ap' ? widenInterval(interval, now) : interval) };
  };
