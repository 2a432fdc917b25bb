import { describe, expect, test } from 'vitest';
import { parseHttpDate } from '../../src/http-date.ts';

const now = new Date('2026-03-01T09:30:00Z');

const read = (text: string): string | undefined => {
  const instant = parseHttpDate(text, now);
  return instant === undefined ? undefined : new Date(instant).toISOString();
};

describe('the three forms of an HTTP-date name the same time', () => {
  test.each([
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'Sun Nov 06 08:49:37 1994',
  ])('%s', (text) => {
    expect(read(text)).toBe('1994-11-06T08:49:37.000Z');
  });
});

describe('a text that does not name a time is not an HTTP-date', () => {
  test.each([
    ...['', '0', '1994-11-06', 'Sun, 06 Nov 1994 08:49:37', 'Sun, 06 Nov 1994 08:49:37 +0000'],
    ...['Sun, 6 Nov 1994 08:49:37 GMT', 'sun, 06 nov 1994 08:49:37 gmt', 'Sunday, 06 Nov 1994 08:49:37 GMT'],
    ...['Sun, 30 Feb 2020 08:00:00 GMT', 'Sunday, 30-Feb-20 08:00:00 GMT', 'Sun Feb 30 08:00:00 2020'],
    ...['Fri, 29 Feb 2019 08:00:00 GMT', 'Tue, 31 Apr 2024 08:00:00 GMT', 'Sun, 00 Mar 2020 08:00:00 GMT'],
    ...['Sun, 01 Mar 2020 24:00:00 GMT', 'Sun, 01 Mar 2020 08:60:00 GMT', 'Sun, 01 Mar 2020 08:00:61 GMT'],
  ])('%j', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

test('a leap second is the second before it', () => {
  expect(read('Sat, 31 Dec 2016 23:59:60 GMT')).toBe('2016-12-31T23:59:59.000Z');
});

describe('a year of two digits that is more than 50 years ahead is in the past century', () => {
  test.each([
    ['Friday, 29-Feb-00 08:00:00 GMT', '2000-02-29T08:00:00.000Z'],
    ['Sunday, 01-Mar-26 08:00:00 GMT', '2026-03-01T08:00:00.000Z'],
    ['Monday, 01-Mar-60 08:00:00 GMT', '2060-03-01T08:00:00.000Z'],
    ['Sunday, 01-Mar-76 09:30:00 GMT', '2076-03-01T09:30:00.000Z'],
    ['Sunday, 01-Mar-76 09:30:01 GMT', '1976-03-01T09:30:01.000Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ])('%s', (text, instant) => {
    expect(read(text)).toBe(instant);
  });
});
