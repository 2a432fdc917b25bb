import { parseInterval } from '../fhir/date-time.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import type { Interval } from '../store/index-entry.ts';
import { type DateCriterion, datePrefixes } from '../store/query.ts';

/** FHIR recommends that "approximately" allows a tenth of the time between now and the value. */
const widenInterval = ({ from, until }: Interval, now: number): Interval => {
  const allowance = Math.round(Math.abs(now - from) / 10);
  return { from: from - allowance, until: until + allowance };
};

/** Parses a date or time as it was sent. An unescaped plus sign of an offset has become a space in the query string. */
export const parseSentInterval = (text: string, zone: TimeZone): Interval | null =>
  parseInterval(text.replace(/ (?=\d\d:\d\d$)/, '+'), zone);

/**
 * Parses a date or time with an optional prefix; returns null for anything else. Source: FHIR R4, Search, 3.1.1.4.7.
 */
export const parseDateCriterion =
  (zone: TimeZone, now: number) =>
  (value: string): DateCriterion | null => {
    const prefix = datePrefixes.find((one) => value.startsWith(one));
    const interval = parseSentInterval(value.slice(prefix?.length ?? 0), zone);
    if (interval === null) return null;
    return { prefix: prefix ?? 'eq', ...(prefix === 'ap' ? widenInterval(interval, now) : interval) };
  };
