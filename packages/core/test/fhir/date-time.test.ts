import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createTimeZone,
  formatInstant,
  isDate,
  isDateTime,
  parseInterval,
  toFullPrecision,
  utc,
} from '../../src/fhir/date-time.ts';

const newYork = createTimeZone('America/New_York');
const kolkata = createTimeZone('Asia/Kolkata');
const hour = 3_600_000;

/** An interval as the texts of its two ends. */
const ends = (text: string, zone = utc) => {
  const interval = parseInterval(text, zone);
  return interval && [interval.from, interval.until].map((at) => new Date(at).toISOString().slice(0, -1));
};
const lengthOf = (text: string, zone = utc) => {
  const interval = parseInterval(text, zone);
  return interval && interval.until - interval.from;
};

describe('a value of less precision is the whole interval that it names', () => {
  test.each([
    ['2023', '2023-01-01T00:00:00.000', '2024-01-01T00:00:00.000'],
    ['2023-11', '2023-11-01T00:00:00.000', '2023-12-01T00:00:00.000'],
    ['2023-12', '2023-12-01T00:00:00.000', '2024-01-01T00:00:00.000'],
    ['2023-12-31', '2023-12-31T00:00:00.000', '2024-01-01T00:00:00.000'],
    ['2023-12-31T23:59', '2023-12-31T23:59:00.000', '2024-01-01T00:00:00.000'],
    ['2023-12-31T23:59:59', '2023-12-31T23:59:59.000', '2024-01-01T00:00:00.000'],
    ['2023-12-31T23:59:59.999', '2023-12-31T23:59:59.999', '2024-01-01T00:00:00.000'],
    ['2023-01-02T03:04:05.67', '2023-01-02T03:04:05.670', '2023-01-02T03:04:05.680'],
    ['2023-01-02T03:04:05.6', '2023-01-02T03:04:05.600', '2023-01-02T03:04:05.700'],
    ['2023-01-02T03:04:05.678999999', '2023-01-02T03:04:05.678', '2023-01-02T03:04:05.679'],
    ['0001', '0001-01-01T00:00:00.000', '0002-01-01T00:00:00.000'],
    ['0099-12-31', '0099-12-31T00:00:00.000', '0100-01-01T00:00:00.000'],
    ['1969-12-31', '1969-12-31T00:00:00.000', '1970-01-01T00:00:00.000'],
  ])('%s', (text, from, until) => {
    expect(ends(text)).toEqual([from, until]);
  });

  test('a leap second is read as the second before it, on the same day', () => {
    expect(ends('2016-12-31T23:59:60Z')).toEqual(['2016-12-31T23:59:59.000', '2017-01-01T00:00:00.000']);
    expect(ends('2016-12-31T23:59:60.5Z')).toEqual(['2016-12-31T23:59:59.500', '2016-12-31T23:59:59.600']);
  });
});

test('a fraction of a second has at most nine digits', () => {
  expect(isDateTime(`2023-01-02T03:04:05.${'1'.repeat(9)}Z`)).toBe(true);
  expect(isDateTime(`2023-01-02T03:04:05.${'1'.repeat(10)}Z`)).toBe(false);
  expect(ends(`2023-01-02T03:04:05.${'1'.repeat(100_000)}Z`)).toBeNull();
});

describe('leap days', () => {
  test.each([
    ['2024-02-29', true],
    ['2000-02-29', true],
    ['2023-02-29', false],
    ['1900-02-29', false],
    ['2100-02-29', false],
  ])('%s: %s', (text, is) => {
    expect(isDate(text)).toBe(is);
  });

  test('lengthen their month and their year', () => {
    expect(['2024-02', '2023-02', '2024', '2023'].map((text) => Number(lengthOf(text)) / 24 / hour)).toEqual([
      29, 28, 366, 365,
    ]);
  });
});

describe('an offset sets the time, whatever the configured zone', () => {
  test.each([
    ['2023-01-01T00:00:00Z', '2023-01-01T00:00:00.000'],
    ['2023-01-01T00:00:00+00:00', '2023-01-01T00:00:00.000'],
    ['2023-01-01T00:00:00-00:00', '2023-01-01T00:00:00.000'],
    ['2023-01-01T00:00:00+02:00', '2022-12-31T22:00:00.000'],
    ['2023-01-01T00:00:00-05:00', '2023-01-01T05:00:00.000'],
    ['2023-01-01T00:00:00+05:45', '2022-12-31T18:15:00.000'],
    ['2023-01-01T00:00:00-03:30', '2023-01-01T03:30:00.000'],
    ['2023-01-01T00:00:00+14:00', '2022-12-31T10:00:00.000'],
    ['2023-01-01T00:00+01:00', '2022-12-31T23:00:00.000'],
  ])('%s', (text, from) => {
    for (const zone of [utc, newYork, kolkata]) expect(ends(text, zone)?.[0]).toBe(from);
  });
});

describe('a time without an offset is in the configured zone', () => {
  test.each([
    ['2023-01-01', '2023-01-01T05:00:00.000', '2023-01-02T05:00:00.000'],
    ['2023-07-01', '2023-07-01T04:00:00.000', '2023-07-02T04:00:00.000'],
    ['2023', '2023-01-01T05:00:00.000', '2024-01-01T05:00:00.000'],
    ['2023-03', '2023-03-01T05:00:00.000', '2023-04-01T04:00:00.000'],
    ['2023-11', '2023-11-01T04:00:00.000', '2023-12-01T05:00:00.000'],
    ['2023-03-12', '2023-03-12T05:00:00.000', '2023-03-13T04:00:00.000'],
    ['2023-11-05', '2023-11-05T04:00:00.000', '2023-11-06T05:00:00.000'],
    ['2023-03-12T01:59:59', '2023-03-12T06:59:59.000', '2023-03-12T07:00:00.000'],
    ['2023-03-12T03:00:00', '2023-03-12T07:00:00.000', '2023-03-12T07:00:01.000'],
    ['2023-03-12T06:00:00', '2023-03-12T10:00:00.000', '2023-03-12T10:00:01.000'],
    ['2023-11-05T00:59:59', '2023-11-05T04:59:59.000', '2023-11-05T05:00:00.000'],
    ['2023-11-05T02:00:00', '2023-11-05T07:00:00.000', '2023-11-05T07:00:01.000'],
  ])('America/New_York, both changes of the clock: %s', (text, from, until) => {
    expect(ends(text, newYork)).toEqual([from, until]);
  });

  test('the day on which daylight saving time begins has 23 hours, and the day on which it ends has 25', () => {
    expect(lengthOf('2023-03-12', newYork)).toBe(23 * hour);
    expect(lengthOf('2023-11-05', newYork)).toBe(25 * hour);
  });

  test.each([
    ['2023-06-01', '2023-05-31T18:30:00.000', '2023-06-01T18:30:00.000'],
    ['2024-02', '2024-01-31T18:30:00.000', '2024-02-29T18:30:00.000'],
    ['2023-06-01T05:30', '2023-06-01T00:00:00.000', '2023-06-01T00:01:00.000'],
  ])('Asia/Kolkata: %s', (text, from, until) => {
    expect(ends(text, kolkata)).toEqual([from, until]);
  });
});

describe('invalid dates', () => {
  test.each([
    '',
    '23',
    '202',
    '20230',
    '0000',
    '0000-01-01',
    '2023-00',
    '2023-13',
    '2023-1',
    '2023-01-00',
    '2023-02-30',
    '2023-04-31',
    '2023-01-32',
    '2023-01-1',
    '2023-01-01T',
    '2023-01-01T10',
    '2023-01-01T24:00',
    '2023-01-01T24:00:00Z',
    '2023-01-01T10:60:00Z',
    '2023-01-01T10:00:61Z',
    '2023-01-01T10:00:00.Z',
    '2023-01-01T10:00:00z',
    '2023-01-01 10:00:00Z',
    '2023-01-01t10:00:00Z',
    '2023-01-01T10:00:00+15:00',
    '2023-01-01T10:00:00-15:00',
    '2023-01-01T10:00:00+01:60',
    '2023-01-01T10:00:00+0100',
    '2023-01-01T10:00:00+01',
    '2023-01-01Z',
    '-2023',
    '2023-01-01\n',
    ' 2023',
    '２０２３',
  ])('%j', (text) => {
    expect([parseInterval(text, utc), isDate(text), isDateTime(text)]).toEqual([null, false, false]);
  });

  test.each(['+14:01', '+14:30', '-14:59'])('an offset beyond 14 hours: %s', (offset) => {
    expect(isDateTime(`2023-01-01T10:00:00${offset}`)).toBe(false);
  });
});

describe('a FHIR date, a FHIR dateTime', () => {
  test.each([
    ['2023', true, true],
    ['2023-01', true, true],
    ['2023-01-01', true, true],
    ['2023-01-01T10:00:00Z', false, true],
    ['2023-01-01T10:00:00.123-05:00', false, true],
    ['2023-01-01T10:00:00', false, false],
    ['2023-01-01T10:00Z', false, false],
    ['2023-01-01T10:00', false, false],
  ])('%s: date %s, dateTime %s', (text, date, dateTime) => {
    expect([isDate(text), isDateTime(text)]).toEqual([date, dateTime]);
  });
});

// FHIR R4, Datatypes, 2.24.0.1, to the letter.
const fhirDateTime =
  /^([0-9]([0-9]([0-9][1-9]|[1-9]0)|[1-9]00)|[1-9]000)(-(0[1-9]|1[0-2])(-(0[1-9]|[1-2][0-9]|3[0-1])(T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?(Z|(\+|-)((0[0-9]|1[0-3]):[0-5][0-9]|14:00)))?)?)?$/;

test('a dateTime is valid if it has the pattern of FHIR and the calendar has the day', () => {
  const twoDigits = (max: number) =>
    fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));
  const texts = fc
    .record({
      year: fc.constantFrom('2023', '2024', '1900', '2000', '0000', '0001', '9999', '10000', '99'),
      month: twoDigits(13),
      day: twoDigits(32),
      time: fc.tuple(twoDigits(24), twoDigits(60), twoDigits(61)).map((parts) => parts.join(':')),
      fraction: fc.constantFrom('', '.', '.1', '.123', '.123456789'),
      offset: fc.constantFrom('', 'Z', '+00:00', '-13:59', '+14:00', '+15:00', '+1:00', '+01:60'),
      parts: fc.integer({ min: 1, max: 4 }),
    })
    .map(({ year, month, day, time, fraction, offset, parts }) =>
      [year, `-${month}`, `-${day}`, `T${time}${fraction}${offset}`].slice(0, parts).join(''),
    );
  fc.assert(
    fc.property(texts, (text) => {
      const [, year, month, day] = /^(\d+)(?:-(\d+))?(?:-(\d+))?/.exec(text) ?? [];
      const noon = new Date(`${year}-${month ?? '01'}-${day ?? '01'}T12:00:00Z`);
      const isInCalendar = !Number.isNaN(noon.getTime()) && noon.getUTCDate() === Number(day ?? 1);
      expect([text, isDateTime(text)]).toEqual([text, fhirDateTime.test(text) && isInCalendar]);
    }),
    { numRuns: 2_000 },
  );
});

const precisions = [
  [4, 0],
  [7, 0],
  [10, 0],
  [16, 60_000],
  [19, 1_000],
  [23, 1],
] as const;
const instants = fc.date({ min: new Date('1900-01-02Z'), max: new Date('2199-12-30Z'), noInvalidDate: true });

test('every precision with every offset contains exactly the milliseconds whose text begins with it', () => {
  const offsets = fc.tuple(
    fc.constantFrom('+', '-'),
    fc.integer({ min: 0, max: 13 }),
    fc.integer({ min: 0, max: 59 }),
  );
  fc.assert(
    fc.property(instants, fc.constantFrom(...precisions), offsets, (instant, [length, duration], offset) => {
      const [sign, hours, minutes] = offset;
      const suffix = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
      const shift = (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
      const hasTime = length > 10;
      /** The time that a clock with the offset shows, with the precision of the text. */
      const shown = (at: number) => new Date(at + (hasTime ? shift : 0)).toISOString().slice(0, length);
      const text = instant.toISOString().slice(0, length);
      const { from, until } = parseInterval(hasTime ? `${text}${suffix}` : text, utc) ?? {
        from: 0,
        until: 0,
      };
      expect([shown(from), shown(until - 1)]).toEqual([text, text]);
      expect(shown(from - 1)).not.toBe(text);
      expect(shown(until)).not.toBe(text);
      if (hasTime) expect(until - from).toBe(duration);
    }),
    { numRuns: 500 },
  );
});

test('an instant is written in ISO 8601 with fractional seconds and UTC offset', () => {
  expect(formatInstant(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe('2026-01-02T03:04:05.006+00:00');
});

test('an instant that is written and parsed is the same millisecond', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const from = instant.getTime();
      const text = formatInstant(from);
      expect(parseInterval(text, newYork)).toEqual({ from, until: from + 1 });
      expect(isDateTime(text)).toBe(true);
    }),
  );
});

test('a complete dateTime is written in the same form, within the original interval', () => {
  fc.assert(
    fc.property(
      instants,
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom('Z', '+00:00', '-00:00', '-03:30', '+14:00'),
      (instant, digits, offset) => {
        const fraction = digits === 0 ? '' : `.${'123456789'.slice(0, digits)}`;
        const sent = `${instant.toISOString().slice(0, 19)}${fraction}${offset}`;
        const full = toFullPrecision(sent);
        expect(full).toMatch(/T\d\d:\d\d:\d\d\.\d{3,}[+-]\d\d:\d\d$/);
        expect([toFullPrecision(full), isDateTime(full)]).toEqual([full, true]);
        const [was, is] = [parseInterval(sent, utc), parseInterval(full, newYork)];
        expect([is?.from, lengthOf(full)]).toEqual([was?.from, 1]);
      },
    ),
  );
});

test.each(['2026', '2026-02', '2026-02-03'])('a complete date is written as it was: %s', (date) => {
  expect(toFullPrecision(date)).toBe(date);
});
