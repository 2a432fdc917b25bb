import { describe, expect, test } from 'vitest';
import { parseTypedDate } from '../../src/model/dates/typed-date.ts';

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
