import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseTypedDate, parseTypedMoment } from '../../src/model/dates/typed-date.ts';

test.each([
  ['2019', '2019'],
  ['May 2019', '2019-05'],
  ['2019 may', '2019-05'],
  ['5/2019', '2019-05'],
  ['2019-05', '2019-05'],
  ['14.5.2019', '2019-05-14'],
  ['14. 5. 2019', '2019-05-14'],
  ['14/5/2019', '2019-05-14'],
  ['5/14/2019', '2019-05-14'],
  ['14 May 2019', '2019-05-14'],
  ['May 14th, 2019', '2019-05-14'],
  ['2019-05-14', '2019-05-14'],
  [' 29.02.2024 ', '2024-02-29'],
])('%s is the date %s in every language', (text, date) => {
  for (const language of ['en-US', 'en-GB', 'de', 'ar']) expect(parseTypedDate(text, language)).toBe(date);
});

describe('where digits leave it open', () => {
  test.each([
    ['en-US', '2019-06-05'],
    ['en-GB', '2019-05-06'],
    ['de', '2019-05-06'],
  ])('%s reads 6/5/2019 as %s', (language, date) => {
    expect(parseTypedDate('6/5/2019', language)).toBe(date);
  });

  test('a point stands after the day, and a year in front is followed by the month', () => {
    expect(parseTypedDate('6.5.2019', 'en-US')).toBe('2019-05-06');
    expect(parseTypedDate('2019-06-05', 'de')).toBe('2019-06-05');
  });
});

test('months have the names of the language, too', () => {
  expect(parseTypedDate('3. März 2019', 'de')).toBe('2019-03-03');
  expect(parseTypedDate('mars 2019', 'fr')).toBe('2019-03');
  expect(parseTypedDate('März 2019', 'en')).toBeNull();
});

test.each([
  '',
  'soon',
  '14.5.19',
  '31.2.2019',
  '13/13/2019',
  '2019 2020',
  '14 May',
  '1 2 3 2019',
  'May June 2019',
])('“%s” is not a date', (text) => {
  expect(parseTypedDate(text, 'en-US')).toBeNull();
});

const now = new Date(2026, 10, 28, 15, 0);

test.each([
  ['today', 'en-US', '2026-11-28'],
  [' Yesterday ', 'en-US', '2026-11-27'],
  ['tomorrow', 'fr', '2026-11-29'],
  ['heute', 'de', '2026-11-28'],
  ['heute', 'en-US', null],
])('%s in %s is the date %s', (text, language, date) => {
  expect(parseTypedDate(text, language, now)).toBe(date);
});

describe('with a time, where the user is', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each([
    ['28.11.2026 14:30', 'Europe/Berlin', '2026-11-28T14:30:00+01:00'],
    ['2026-11-28T14:30', 'America/New_York', '2026-11-28T14:30:00-05:00'],
    ['today, 2:30 pm', 'Asia/Kolkata', '2026-11-28T14:30:00+05:30'],
    ['1.7.2026 00:05', 'Europe/Berlin', '2026-07-01T00:05:00+02:00'],
    ['12:15 am', 'UTC', '2026-11-28T00:15:00+00:00'],
    ['28 Nov 2026, 14:30', 'UTC', '2026-11-28T14:30:00+00:00'],
    ['28.11.2026', 'UTC', '2026-11-28'],
    ['May 2019', 'UTC', '2019-05'],
    ['28.11.2026 24:00', 'UTC', null],
    ['28.11.2026 14:60', 'UTC', null],
    ['28.11.2026 14:30 pm', 'UTC', null],
    ['May 2019 14:30', 'UTC', null],
    ['soon 14:30', 'UTC', null],
    // The clock of that night goes from two to three.
    ['29.3.2026 02:30', 'Europe/Berlin', null],
  ])('%s in %s is %s', (text, zone, moment) => {
    vi.stubEnv('TZ', zone);
    expect(parseTypedMoment(text, 'en-GB', new Date(2026, 10, 28, 15, 0))).toBe(moment);
  });
});
