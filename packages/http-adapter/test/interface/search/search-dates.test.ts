import { beforeEach, describe, expect, test } from 'vitest';
import { labOrder } from '../../builders.ts';
import type { Clinic } from '../../clinic.ts';
import { expectError, idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const record = (clinic: Clinic, authored: Readonly<Record<string, string>>) =>
  Object.entries(authored).reduce(
    (before, [id, authoredOn]) =>
      before.then(async () => {
        await clinic.record(labOrder({ id, authoredOn }));
      }),
    Promise.resolve(),
  );

const search = (clinic: Clinic, authored: string) =>
  clinic.get(`/ServiceRequest?${new URLSearchParams({ authored })}`);

const found = async (clinic: Clinic, authored: string) => idsOf(await search(clinic, authored)).join(' ');

onEveryStore('Decisions: Dates', (clinic) => {
  describe('prefixes eq ne gt ge lt le sa eb ap', () => {
    beforeEach(() =>
      record(clinic(), {
        before: '2025-06-14T23:59:59.999Z',
        start: '2025-06-15T00:00:00.000Z',
        day: '2025-06-15',
        end: '2025-06-15T23:59:59.999Z',
        after: '2025-06-16T00:00:00.000Z',
        month: '2025-06',
      }),
    );
    test.each([
      ['2025-06-15', 'start day end'],
      ['eq2025-06-15', 'start day end'],
      ['ne2025-06-15', 'before after month'],
      ['gt2025-06-15', 'after month'],
      ['ge2025-06-15', 'start day end after month'],
      ['lt2025-06-15', 'before month'],
      ['le2025-06-15', 'before start day end month'],
      ['sa2025-06-15', 'after'],
      ['eb2025-06-15', 'before'],
      ['eq2025-06', 'before start day end after month'],
      ['sa2025-06', ''],
      ['eb2025-07', 'before start day end after month'],
      ['eq2025', 'before start day end after month'],
      ['gt2025-06-15T12:00:00Z', 'day end after month'],
      ['lt2025-06-15T12:00:00Z', 'before start day month'],
      ['eq2025-06-15T00:00:00.000Z', 'start'],
      ['eq2025-06-15T00:00Z', 'start'],
      ['eq2025-06-15T02:00:00.000+02:00', 'start'],
    ])('authored=%s', async (authored, ids) => {
      expect(await found(clinic(), authored)).toBe(ids);
    });
    test('ap allows a tenth of the time between now and the value', async () => {
      clinic().clock.at('2025-06-25T00:00:00.000Z');
      expect(await found(clinic(), 'ap2025-06-15')).toBe('before start day end after month');
      clinic().clock.at('2025-07-15T00:00:00.000Z');
      expect(await found(clinic(), 'ap2025-05-31')).toBe('month');
    });
  });

  describe('prefixes eq ne gt ge lt le sa eb ap: ap allows a tenth of the time between now and the value, which may lie', () => {
    test.each([
      ['30 days back', '2025-06-15', ['2025-06-10', '2025-06-13', '2025-06-17', '2025-06-20']],
      ['30 days ahead', '2025-08-14', ['2025-08-10', '2025-08-12', '2025-08-16', '2025-08-19']],
      ['10 years back', '2015-07-15', ['2014-06-15', '2014-08-15', '2016-06-15', '2016-08-15']],
      ['10 years ahead', '2035-07-15', ['2034-06-15', '2034-08-15', '2036-06-15', '2036-08-15']],
      [
        'on this day',
        '2025-07-15',
        ['2025-07-14T12:00:00Z', '2025-07-15', '2025-07-15', '2025-07-16T12:00:00Z'],
      ],
    ])('%s', async (_, value, [before = '', early = '', late = '', after = '']) => {
      await record(clinic(), { before, early, late, after });
      clinic().clock.at('2025-07-15T00:00:00.000Z');
      expect(await found(clinic(), `ap${value}`)).toBe('early late');
    });
  });

  test('A value of less precision is the whole interval that it names, on both sides', async () => {
    await record(clinic(), {
      year: '2025',
      month: '2025-06',
      day: '2025-06-15',
      second: '2025-06-15T08:00:00Z',
    });
    expect(await found(clinic(), '2025')).toBe('year month day second');
    expect(await found(clinic(), '2025-06')).toBe('month day second');
    expect(await found(clinic(), '2025-06-15')).toBe('day second');
    expect(await found(clinic(), '2025-06-15T08:00:00Z')).toBe('second');
    expect(await found(clinic(), '2025-06-15T08:00:00.000Z')).toBe('second');
    expect(await found(clinic(), '2025-06-15T08:00:00.001Z')).toBe('');
    expect(await found(clinic(), 'ne2025-06')).toBe('year');
  });

  describe('A value of less precision is the whole interval that it names, on both sides: from its first millisecond to its last', () => {
    const dates = [
      ['2024', '2024-01-01T00:00:00.000Z', '2024-12-31T23:59:59.999Z'],
      ['2025', '2025-01-01T00:00:00.000Z', '2025-12-31T23:59:59.999Z'],
      ['2000-02', '2000-02-01T00:00:00.000Z', '2000-02-29T23:59:59.999Z'],
      ['2024-02', '2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
      ['2025-02', '2025-02-01T00:00:00.000Z', '2025-02-28T23:59:59.999Z'],
      ['2025-04', '2025-04-01T00:00:00.000Z', '2025-04-30T23:59:59.999Z'],
      ['2025-12', '2025-12-01T00:00:00.000Z', '2025-12-31T23:59:59.999Z'],
      ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
      ['2025-12-31', '2025-12-31T00:00:00.000Z', '2025-12-31T23:59:59.999Z'],
    ] as const;
    const times = [
      ['2025-12-31T23:59', '2025-12-31T23:59:00.000Z', '2025-12-31T23:59:59.999Z'],
      ['2025-06-15T08:00+02:00', '2025-06-15T06:00:00.000Z', '2025-06-15T06:00:59.999Z'],
      ['2025-12-31T23:59:59Z', '2025-12-31T23:59:59.000Z', '2025-12-31T23:59:59.999Z'],
      ['2025-12-31T23:59:59.9Z', '2025-12-31T23:59:59.900Z', '2025-12-31T23:59:59.999Z'],
      ['2025-12-31T23:59:59.12Z', '2025-12-31T23:59:59.120Z', '2025-12-31T23:59:59.129Z'],
      ['2025-12-31T23:59:59.999Z', '2025-12-31T23:59:59.999Z', '2025-12-31T23:59:59.999Z'],
    ] as const;
    const beside = (moment: string, milliseconds: number) =>
      new Date(Date.parse(moment) + milliseconds).toISOString();

    test.each([...dates, ...times])('searched for: %s', async (value, first, last) => {
      await record(clinic(), { before: beside(first, -1), first, last, after: beside(last, 1) });
      expect(await found(clinic(), value)).toBe('first last');
    });
    test.each(dates)('recorded: %s', async (value, first, last) => {
      await record(clinic(), { one: value });
      expect(await found(clinic(), `sa${beside(first, -1)}`)).toBe('one');
      expect(await found(clinic(), `sa${first}`)).toBe('');
      expect(await found(clinic(), `eb${last}`)).toBe('');
      expect(await found(clinic(), `eb${beside(last, 1)}`)).toBe('one');
    });
  });

  test('an unescaped plus sign of an offset is understood', async () => {
    await record(clinic(), { one: '2025-06-15T00:00:00Z' });
    const answer = await clinic().get('/ServiceRequest?authored=2025-06-15T02:00:00+02:00');
    expect(idsOf(answer)).toEqual(['one']);
  });

  describe('a value that is not a date is a 400', () => {
    test.each([
      '2025-13',
      ...['2025-02-29', '2024-02-30', '1900-02-29', '2025-04-31', '2025-06-00', '0000'],
      '2025-06-15T24:00:00Z',
      '15.06.2025',
      'eq',
      'xx2025',
      'EQ2025',
      '2025-6',
      '25',
    ])('%s', async (authored) => {
      expectError(await search(clinic(), authored), 400, 'http.authored');
    });
    test.each(['2024-02-29', '2000-02-29', '2025-04-30', '2025-12-31'])('but not %s', async (authored) => {
      await record(clinic(), { one: authored });
      expect(await found(clinic(), authored)).toBe('one');
    });
  });

  test('Without an offset, it is in the configured zone (default UTC)', async () => {
    await record(clinic(), {
      one: '2025-06-15T23:30:00-04:00',
      two: '2025-06-16T00:00:00Z',
      three: '2025-06-15T23:59:59Z',
    });
    expect(await found(clinic(), '2025-06-15')).toBe('three');
    expect(await found(clinic(), '2025-06-16')).toBe('one two');
    expect(await found(clinic(), '2025-06-16T03:30:00')).toBe('one');
  });
});

onEveryStore(
  'Decisions: Dates in a configured zone',
  (clinic) => {
    test('without an offset, it is in the configured zone: America/New_York, in summer and in winter', async () => {
      await record(clinic(), {
        summer: '2025-06-16T03:30:00Z',
        winter: '2025-01-16T04:30:00Z',
        day: '2025-06-15',
      });
      expect(await found(clinic(), '2025-06-15')).toBe('summer day');
      expect(await found(clinic(), '2025-01-15')).toBe('winter');
      expect(await found(clinic(), '2025-06-15T23:30:00')).toBe('summer');
      expect(await found(clinic(), '2025-01-15T23:30:00')).toBe('winter');
      expect(await found(clinic(), '2025-06-16T03:30:00Z')).toBe('summer');
      expect(await found(clinic(), 'sa2025-06-15')).toBe('');
    });
    test.each([
      ['of 23 hours', '2025-03-09', '2025-03-09T05:00:00.000Z', '2025-03-10T04:00:00.000Z'],
      ['of 25 hours', '2025-11-02', '2025-11-02T04:00:00.000Z', '2025-11-03T05:00:00.000Z'],
    ])('without an offset, it is in the configured zone: a day %s', async (_, day, from, until) => {
      const last = new Date(Date.parse(until) - 1).toISOString();
      await record(clinic(), { from, last, until });
      expect(await found(clinic(), day)).toBe('from last');
    });
  },
  { timeZone: 'America/New_York' },
);
