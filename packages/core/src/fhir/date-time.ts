import { z } from 'zod';
import type { Interval } from '../store/query.ts';
import type { BodyRule } from './issues.ts';
import { parseOffsetMinutes, type TimeZone } from './time-zone.ts';

/**
 * FHIR R4, Datatypes, 2.24.0.1: `dateTime`, and as a search may have it, without seconds or offset. 60 is a leap second. A
 * fraction has at most nine digits, as clocks have: it is stored as it was sent.
 */
const dateTimePattern =
  /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01])(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d|60)(?:\.(\d{1,9}))?)?(Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?)?)?)?$/;

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'offset';
type DateParts = Readonly<Record<Part, string | undefined>>;

/** The parts by their places in the shape: named groups take twice as long. */
const parseDateParts = (text: string): DateParts | null => {
  const matched = dateTimePattern.exec(text);
  if (matched === null) return null;
  const [, year, month, day, hour, minute, second, fraction, offset] = matched;
  const parts = { year, month, day, hour, minute, second, fraction, offset };
  return isInCalendar(parts) ? parts : null;
};

/** The beginning of a day as if in UTC. `Date.UTC` takes the years before 100 for those of the twentieth century. */
const midnight = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month - 1, day);

/** Every month has 28 days. A later day that its month lacks lies in the next month. */
const isInCalendar = ({ year, month, day = '01' }: DateParts) =>
  year !== '0000' &&
  (Number(day) <= 28 ||
    new Date(midnight(Number(year), Number(month), Number(day))).getUTCDate() === Number(day));

/** A leap second is read as the second before it, of the same day: a `Date` has none. */
const maxSecond = 59;

/** The milliseconds from midnight to a time of a day. */
const timeOfDay = ({ hour, minute, second = '0', fraction = '' }: DateParts): number =>
  Number(hour) * 3_600_000 +
  Number(minute) * 60_000 +
  Math.min(Number(second), maxSecond) * 1_000 +
  Number(fraction.padEnd(3, '0').slice(0, 3));

/** How many milliseconds a time of a day names: those of a minute, a second, or a fraction of one. */
const durationOf = ({ second, fraction = '' }: DateParts): number =>
  second === undefined ? 60_000 : 1_000 / 10 ** Math.min(fraction.length, 3);

/**
 * The whole interval that a date or datetime names: a year, a month, a day, a minute, a second or a fraction of one.
 * What is finer than a millisecond is taken as its millisecond. Without an offset it lies in the zone.
 *
 * Answers null for what is no date. Source: FHIR R4, Search, 3.1.1.4.7.
 */
export const parseInterval = (text: string, zone: TimeZone): Interval | null => {
  const parts = parseDateParts(text);
  if (parts === null) return null;
  const year = Number(parts.year);
  const month = Number(parts.month ?? 1);
  const day = Number(parts.day ?? 1);
  const { offset } = parts;
  const instant = offset === undefined ? zone : (wall: number) => wall - parseOffsetMinutes(offset) * 60_000;
  if (parts.hour === undefined) {
    const next =
      parts.month === undefined
        ? midnight(year + 1, 1, 1)
        : parts.day === undefined
          ? midnight(year, month + 1, 1)
          : midnight(year, month, day + 1);
    return { from: instant(midnight(year, month, day)), until: instant(next) };
  }
  const from = instant(midnight(year, month, day) + timeOfDay(parts));
  return { from, until: from + durationOf(parts) };
};

/** Whether a text is a FHIR `date`: a year, a month or a day that the calendar has. */
export const isDate = (text: string): boolean => {
  const parts = parseDateParts(text);
  return parts !== null && parts.hour === undefined;
};

/** Whether a text is a FHIR `dateTime`: a date, or a time of a day with its seconds and its offset. */
export const isDateTime = (text: string): boolean => {
  const parts = parseDateParts(text);
  return (
    parts !== null && (parts.hour === undefined || (parts.second !== undefined && parts.offset !== undefined))
  );
};

/** An instant as the interface writes it: ISO 8601 with fractional seconds and UTC offset. */
export const formatInstant = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('Z', '+00:00');

/** A dateTime in the form of such an instant, as far as it has a time of a day. It still says the same. */
export const toFullPrecision = (dateTime: string): string => {
  const { second, fraction = '', offset } = parseDateParts(dateTime) ?? ({} as Partial<DateParts>);
  if (second === undefined) return dateTime;
  const seconds = dateTime.slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
  return `${seconds}.${fraction.padEnd(3, '0')}${offset === 'Z' ? '+00:00' : offset}`;
};

/** A FHIR `date` as it is taken. */
export const date = z
  .string()
  .refine(isDate, { params: { rule: 'date' satisfies BodyRule } })
  .meta({
    pattern: String.raw`^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$`,
    examples: ['2024-10-02'],
  });

/** A FHIR `dateTime` as it is taken. */
export const dateTime = z
  .string()
  .refine((sent) => parseDateParts(sent) !== null, {
    params: { rule: 'date-time' satisfies BodyRule },
    abort: true,
  })
  .refine(isDateTime, { params: { rule: 'time-offset' satisfies BodyRule } })
  .meta({
    pattern: String.raw`^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(Z|[+-]((0\d|1[0-3]):[0-5]\d|14:00)))?)?)?$`,
    examples: ['2024-10-02T09:30:00.000+00:00'],
  });
