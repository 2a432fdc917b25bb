import { describe, expect, test } from 'vitest';
import { createTimeZone, parseInterval, utc } from '../../src/fhir/date-time.ts';

/** The calendar day and time in a zone. */
const calendarOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at: number) => format.format(at);
};

const daysOf = (year: number) =>
  Array.from({ length: 365 }, (_, day) => new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10));

/** The days whose intervals are not just the milliseconds at which the calendar on the wall shows them. */
const wrongDays = (zone: string, days: readonly string[]) => {
  const shown = calendarOf(zone);
  const named = createTimeZone(zone);
  return days.filter((day) => {
    const { from, until } = parseInterval(day, named) ?? { from: 0, until: 0 };
    const isRight =
      shown(from) === day && shown(until - 1) === day && shown(from - 1) !== day && shown(until) !== day;
    return !isRight;
  });
};

describe('a day contains the milliseconds at which the local calendar shows it', () => {
  test.each([
    'America/New_York',
    'America/Los_Angeles',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'America/St_Johns',
  ])('on every day of a year in %s', (zone) => {
    expect(wrongDays(zone, daysOf(2023))).toEqual([]);
  });

  test.each([
    ['America/Santiago', 2023],
    ['America/Havana', 2023],
    ['America/Sao_Paulo', 2018],
    ['Africa/Cairo', 2024],
    ['Asia/Beirut', 2023],
  ])('also in %s, where the clock of %i changes at midnight', (zone, year) => {
    expect(wrongDays(zone, daysOf(year))).toEqual([]);
  });
});

test('each second of the two days on which the clock changes in New York is the one that the clock shows', () => {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/New_York',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const zone = createTimeZone('America/New_York');
  const wrong: string[] = [];
  for (const midnight of [Date.UTC(2023, 2, 12, 5), Date.UTC(2023, 10, 5, 4)]) {
    // A prime number of seconds, so that every minute of the hour comes by.
    for (let at = midnight; at < midnight + 25 * 3_600_000; at += 97_000) {
      const shown = clock.format(at);
      const { from } = parseInterval(shown.replace(' ', 'T'), zone) ?? { from: 0 };
      if (clock.format(from) !== shown) wrong.push(shown);
    }
  }
  expect(wrong).toEqual([]);
});

test('in UTC, the clock has no offset', () => {
  expect([utc(12_345), createTimeZone('UTC')(12_345), createTimeZone('Etc/UTC')(12_345)]).toEqual([
    12_345, 12_345, 12_345,
  ]);
});

test('an unknown zone throws a RangeError', () => {
  expect(() => createTimeZone('Mars/Olympus')).toThrow(RangeError);
});
