import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTimeZone, parseInterval, utc } from '../../src/fhir/date-time.ts';
import { parseDateCriterion } from '../../src/search/parameters.ts';

const now = Date.UTC(2026, 0, 11);
const parse = parseDateCriterion(utc, now);
const day = { from: Date.UTC(2026, 0, 1), until: Date.UTC(2026, 0, 2) };

test('without a prefix, eq is assumed', () => {
  expect(parse('2026-01-01')).toEqual({ prefix: 'eq', ...day });
});

describe('ap allows a tenth of the time between now and the value', () => {
  const tenth = 86_400_000;
  test('for a past day', () => {
    expect(parse('ap2026-01-01')).toEqual({ prefix: 'ap', from: day.from - tenth, until: day.until + tenth });
  });

  test('for a future day', () => {
    expect(parse('ap2026-01-21')).toEqual({
      prefix: 'ap',
      from: Date.UTC(2026, 0, 20),
      until: Date.UTC(2026, 0, 23),
    });
  });
});

describe('a space is the plus sign of an offset', () => {
  test.each(['2026-01-01T10:00:00+02:00', 'ge2026-01-01T10:00+02:00', '2026-01-01T10:00:00.123+02:00'])(
    '%s',
    (value) => {
      expect(parse(value.replace('+', ' '))).toEqual(parse(value));
      expect(parse(value)).not.toBeNull();
    },
  );
});

test('a value without an offset is in the configured zone', () => {
  expect(parseDateCriterion(createTimeZone('America/New_York'), now)('2026-01-01')).toEqual({
    prefix: 'eq',
    from: Date.UTC(2026, 0, 1, 5),
    until: Date.UTC(2026, 0, 2, 5),
  });
});

test.each([
  '',
  'eq',
  'ge',
  'xx2026',
  'xge2026',
  'ge2026x',
  'EQ2026',
  'eqeq2026',
  '2026-02-30',
  '2026-13',
  '2026-01-01T24:00',
  ' 2026',
  '2026 ',
  '2026-01 01',
  '2026-01-01T10:00:00  02:00',
  '2026-01-01T10:00:00 01:00 02:00',
  '2026\n',
  'today',
])('%j is not a date', (value) => {
  expect(parse(value)).toBeNull();
});

test('only the prefix ap changes the interval after it', () => {
  const texts = fc
    .tuple(
      fc.constantFrom(
        '2024',
        '2024-02',
        '2024-02-29',
        '2024-02-29T23:59',
        '2024-02-29T23:59:59',
        '2024-02-29T23:59:59.5',
      ),
      fc.constantFrom('', 'Z', '+14:00', '-12:00', '+05:30'),
    )
    .map(([text, offset]) => (text.includes('T') ? `${text}${offset}` : text));
  fc.assert(
    fc.property(fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb'), texts, (prefix, text) => {
      expect(parse(`${prefix}${text}`)).toEqual({ prefix, ...parseInterval(text, utc) });
    }),
  );
});
