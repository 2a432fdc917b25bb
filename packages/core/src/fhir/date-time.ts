import * as z from 'zod';
import type { Interval } from '../store/index-entry.ts';
import { essential, nonEmptyElement } from './element.ts';
import type { BodyRule } from './issues.ts';
import { named, type SchemaOutput } from './schema.ts';

/**
 * Converts the time that a wall clock shows, in milliseconds as if in UTC, into the instant at which the clock shows
 * it.
 */
export type TimeZone = (wallClock: number) => number;

export const utc: TimeZone = (wallClock) => wallClock;

const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** The minutes of an offset such as `-05:00`; 0 for `Z` and for an empty offset, which both mean UTC. */
const parseOffsetMinutes = (offset: string): number =>
  offset === 'Z' || offset === ''
    ? 0
    : Number(`${offset[0]}1`) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6)));

/**
 * Creates the time zone with a name such as `America/New_York`, with its daylight saving time.
 *
 * Throws a RangeError for a name that the IANA database does not have.
 */
export const createTimeZone = (name: string): TimeZone => {
  if (name === 'UTC') return utc;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const offsetAt = (instant: number): number => {
    const shown = format.format(instant);
    return parseOffsetMinutes(shown.slice(shown.indexOf('GMT') + 'GMT'.length)) * 60_000;
  };
  // A time that is skipped when the clock is put forward is read with the offset before. A time that occurs twice when
  // the clock is put back is the first of the two.
  return (wallClock) => {
    const before = offsetAt(wallClock - millisecondsPerDay);
    const after = offsetAt(wallClock + millisecondsPerDay);
    if (before === after) return wallClock - before;
    const isAfter = offsetAt(wallClock - before) !== before && offsetAt(wallClock - after) === after;
    return wallClock - (isAfter ? after : before);
  };
};

/**
 * FHIR R4, Datatypes, 2.24.0.1: `dateTime`, and the forms without seconds or offset that a search allows. 60 is a leap
 * second. A fraction has at most nine digits, as clocks have, and is stored as it was sent.
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

/** The beginning of a day in UTC. `Date.UTC` would read the years before 100 as years of the twentieth century. */
const midnight = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month - 1, day);

/** Every month has 28 days. A later day that the month does not have becomes a day of the next month. */
const isInCalendar = ({ year, month, day = '01' }: DateParts) =>
  year !== '0000' &&
  (Number(day) <= 28 ||
    new Date(midnight(Number(year), Number(month), Number(day))).getUTCDate() === Number(day));

/** A leap second is read as the second before it, because a `Date` has no leap seconds. */
const maxSecond = 59;

/** The milliseconds from midnight to a time of day. */
const timeOfDay = ({ hour, minute, second = '0', fraction = '' }: DateParts): number =>
  Number(hour) * 3_600_000 +
  Number(minute) * 60_000 +
  Math.min(Number(second), maxSecond) * 1_000 +
  Number(fraction.padEnd(3, '0').slice(0, 3));

/** The length of a time in milliseconds: a minute, a second, or a fraction of a second. */
const durationOf = ({ second, fraction = '' }: DateParts): number =>
  second === undefined ? 60_000 : 1_000 / 10 ** Math.min(fraction.length, 3);

/**
 * Parses a date or datetime as the whole interval that it names: a year, a month, a day, a minute, a second or a
 * fraction of one. Precision beyond a millisecond is dropped. A time without an offset is in the given zone.
 *
 * Returns null if the text is not a date. Source: FHIR R4, Search, 3.1.1.4.7.
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

/** Whether a text is a FHIR `date`: a year, a month or a day that exists in the calendar. */
export const isDate = (text: string): boolean => {
  const parts = parseDateParts(text);
  return parts !== null && parts.hour === undefined;
};

/** Whether a text is a FHIR `dateTime`: a date, or a date with a time that has seconds and an offset. */
export const isDateTime = (text: string): boolean => {
  const parts = parseDateParts(text);
  return (
    parts !== null && (parts.hour === undefined || (parts.second !== undefined && parts.offset !== undefined))
  );
};

const dayLength = 86_400_000;

/** The day that was formatted last, up to its `T`: most times that are formatted one after the other share one. */
let lastDay = { day: Number.NaN, text: '' };

/** The time of the system, in milliseconds since 1970 in UTC. */
export const systemTime = (): number => Date.now();

const digitsOf = (numbers: number, length: number): readonly string[] =>
  Array.from({ length: numbers }, (_, number) => `${number}`.padStart(length, '0'));

const twoDigits = digitsOf(60, 2);
const threeDigits = digitsOf(1_000, 3);

/** Formats an instant as ISO 8601 with fractional seconds and the offset +00:00. */
export const formatInstant = (milliseconds: number): string => {
  const day = Math.floor(milliseconds / dayLength);
  if (day !== lastDay.day)
    lastDay = { day, text: new Date(milliseconds).toISOString().slice(0, -'hh:mm:ss.SSSZ'.length) };
  const time = milliseconds - day * dayLength;
  const seconds = Math.floor(time / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hour = twoDigits[Math.floor(minutes / 60)];
  return `${lastDay.text}${hour}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${threeDigits[time % 1_000]}+00:00`;
};

/** Adds missing fractional seconds to a dateTime, and writes Z as +00:00. The meaning stays the same. */
export const toFullPrecision = (dateTime: string): string => {
  const { second, fraction = '', offset } = parseDateParts(dateTime) ?? ({} as Partial<DateParts>);
  if (second === undefined) return dateTime;
  const seconds = dateTime.slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
  return `${seconds}.${fraction.padEnd(3, '0')}${offset === 'Z' ? '+00:00' : offset}`;
};

/** A FHIR `date` in a request. */
export const date = z
  .string()
  .refine(isDate, { params: { rule: 'date' satisfies BodyRule } })
  .meta({
    pattern: String.raw`^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$`,
    examples: ['2024-10-02'],
  });

/** A FHIR `dateTime` in a request. */
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

const periodSchema = nonEmptyElement(
  {
    /** The beginning: a FHIR `dateTime`. */
    start: essential(dateTime.optional()),
    /** The end: a FHIR `dateTime`. */
    end: essential(dateTime.optional()),
  },
  ['_start', '_end'],
);

/** A time from a start to an end, one of which may be open. FHIR R4, Datatypes, 2.24.0.12. */
export interface Period extends SchemaOutput<typeof periodSchema> {}

/** The schema of a period. */
export const period = named<Period>(periodSchema);
