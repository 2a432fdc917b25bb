import { expect, test } from 'vitest';
import { createBodyParser } from '../../src/fhir/parse-body.ts';
import { timing } from '../../src/fhir/quantity.ts';
import { expectInvalid, rightOf } from '../results.ts';

const parse = createBodyParser(timing, 'Timing');

test('a timing with all elements is accepted', () => {
  const sent = {
    event: ['2026-03-01', '2026-03-02T08:30:00+01:00'],
    repeat: {
      boundsPeriod: { start: '2026-03-01' },
      ...{ count: 10, countMax: 12, duration: 0.5, durationMax: 1, durationUnit: 'h' },
      ...{ frequency: 1, frequencyMax: 2, period: 1.5, periodMax: 2, periodUnit: 'wk' },
      ...{
        dayOfWeek: ['mon', 'sun'],
        timeOfDay: ['08:30:00', '23:59:60.5'],
        when: ['ACM', 'MORN.early', 'C'],
        offset: 0,
      },
    },
    code: { coding: [{ code: 'BID' }], text: 'twice a day' },
  };
  expect(rightOf(parse(sent, 'strict'))).toEqual(sent);
});

test.each([
  { boundsDuration: { value: 3, unit: 'd' } },
  { boundsRange: { low: { value: 1 }, high: { value: 2 } } },
])('it holds for %j', (repeat) => {
  expect(rightOf(parse({ repeat }, 'strict'))).toEqual({ repeat });
});

test.each<[what: string, repeat: object, issue: string]>([
  ['no content', {}, 'empty at Timing.repeat'],
  ['a unit that is none', { periodUnit: 'week' }, 'value at Timing.repeat.periodUnit'],
  ['a day of no week', { dayOfWeek: ['mon', 'Monday'] }, 'value at Timing.repeat.dayOfWeek[1]'],
  ['a time without seconds', { timeOfDay: ['08:30'] }, 'value at Timing.repeat.timeOfDay[0]'],
  ['an event that is none', { when: ['NOON.early'] }, 'value at Timing.repeat.when[0]'],
  ['a count of zero', { count: 0 }, 'value at Timing.repeat.count'],
  ['half a time', { frequency: 0.5 }, 'value at Timing.repeat.frequency'],
  ['an offset before the event', { offset: -1 }, 'value at Timing.repeat.offset'],
  ['a number with more than 32 bits', { count: 2 ** 31 }, 'value at Timing.repeat.count'],
  [
    'two bounds',
    { boundsDuration: { value: 3 }, boundsPeriod: { start: '2026' } },
    'many at Timing.repeat.boundsPeriod',
  ],
  ['a misspelt name', { freqency: 1, count: 1 }, 'unknown-element at Timing.repeat.freqency'],
])('it is refused with %s', (_what, repeat, issue) => {
  expectInvalid(parse({ repeat }, 'lenient'), issue);
});
