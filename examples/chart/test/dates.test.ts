import { afterEach, expect, test, vi } from 'vitest';
import { ageAt, formatDate, formatDay, formatMoment, formatSpan, startOf } from '../src/model/dates/dates.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  ['1998', '1998'],
  ['2019-05', 'May 2019'],
  ['2021-09-14', '14 Sep 2021'],
  ['2024-01-01', '1 Jan 2024'],
])('the date %s is shown with no more precision than it has', (date, shown) => {
  expect(formatDate(date)).toBe(shown);
});

test('a moment is shown with its time', () => {
  expect(formatDate('2026-09-28T12:59:58.098+00:00')).toMatch(/^2[789] Sep 2026, \d\d:59$/);
});

test.each(['2026-06-30T23:59:60Z', '2026-07-01T01:59:60.500+02:00'])(
  'the leap second %s is shown as the second before it',
  (date) => {
    expect(startOf(date)).toBe(Date.parse(date.replace(':60', ':59')));
    vi.stubEnv('TZ', 'UTC');
    expect(formatDay(date)).toBe('30 Jun 2026');
    expect(formatDate(date)).toMatch(/^30 Jun 2026, /);
  },
);

test.each([
  ['America/New_York', '2026-03-02T01:30:00.000+00:00', '1 Mar 2026'],
  ['Asia/Tokyo', '2026-03-01T16:30:00.000+00:00', '2 Mar 2026'],
  ['America/New_York', '2026-03-02', '2 Mar 2026'],
  ['America/New_York', '2026-03', 'Mar 2026'],
])('in %s, the day of %s is %s', (zone, date, day) => {
  vi.stubEnv('TZ', zone);
  expect(formatDay(date)).toBe(day);
});

test.each([
  [1, '1 day'],
  [60, '60 days'],
  [61, '2 months'],
  [496, '16 months'],
  [730, '23 months'],
  [731, '2 years'],
  [2000, '5 years'],
])('%d days are %s', (days, text) => {
  expect(formatSpan(days)).toBe(text);
});

test('a moment of today is its time, and another one has its day', () => {
  const now = new Date(2026, 10, 28, 15).getTime();
  expect(formatMoment(new Date(2026, 10, 28, 9, 5).getTime(), now)).toBe('09:05');
  expect(formatMoment(new Date(2026, 10, 27, 9, 5).getTime(), now)).toBe('27 Nov 2026, 09:05');
});

test.each([
  ['1961-08-23', '65 years'],
  ['1961-11-28', '65 years'],
  ['1961-11-29', '64 years'],
  ['2008-11-28', '18 years'],
  ['2008-11-29', '17 years 11 months'],
  ['2021-11-28', '5 years'],
  ['2024-11-28', '2 years'],
  ['2025-10-01', '13 months'],
  ['2026-10-17', '6 weeks'],
  ['2026-11-27', '1 day'],
  ['1961', 'about 65 years'],
  ['1961-12', 'about 64 years'],
])('somebody born on %s is %s old on 28 November 2026', (birthDate, age) => {
  expect(ageAt(birthDate, '2026-11-28')).toBe(age);
});
