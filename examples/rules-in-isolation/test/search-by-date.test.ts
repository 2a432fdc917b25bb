import { createTimeZone, matches, parseDateCriterion, parseInterval } from '@clinical-records/core/rules';
import { expect, test } from 'vitest';

const newYork = createTimeZone('America/New_York');
const now = Date.parse('2026-01-01T00:00:00Z');

/** The parsed value. A text that is not a date fails the test. */
const parsed = <A>(parsed: A | null): A => {
  if (parsed === null) throw new Error('This is not a date.');
  return parsed;
};

/** Whether an order of this time is among those that a search such as `authored=ge2024` finds. */
const finds = (search: string, authoredOn: string): boolean =>
  matches({
    type: 'ServiceRequest',
    conditions: [
      { on: 'date', parameter: 'authored', anyOf: [parsed(parseDateCriterion(newYork, now)(search))] },
    ],
  })({
    type: 'ServiceRequest',
    id: 'o',
    patientId: '7',
    at: 0,
    index: [{ kind: 'date', parameter: 'authored', ...parsed(parseInterval(authoredOn, newYork)) }],
  });

test.each([
  ['2024-03-31', '2024-03-31T23:30:00-04:00', true],
  ['2024-03-31', '2024-04-01T03:30:00Z', true],
  ['2024-03-31', '2024-03-31T03:30:00Z', false],
  ['2024-03-31T23:30-04:00', '2024-04-01T03:30:00Z', true],
])(
  'a day is a day in the time zone of the clinic: %s finds an order authored at %s: %s',
  (search, authoredOn, found) => {
    expect(finds(search, authoredOn)).toBe(found);
  },
);

test.each([
  ['2024', '2024-03', true],
  ['2024-03-15', '2024-03', false],
  ['ge2024-03-15', '2024-03', true],
  ['sa2024-03-15', '2024-03', false],
  ['lt2024-03-15', '2024-03', true],
  ['eb2024-03-15', '2024-03', false],
  ['ne2024-03-15', '2024-03', true],
])('a value with only a month means the whole month: %s finds %s: %s', (search, authoredOn, found) => {
  expect(finds(search, authoredOn)).toBe(found);
});

test('a value that is not a date is not a criterion', () => {
  expect(parseDateCriterion(newYork, now)('2024-02-30')).toBeNull();
  expect(parseDateCriterion(newYork, now)('soon')).toBeNull();
});
