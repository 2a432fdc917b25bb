import { expect, test } from 'vitest';
import { z } from 'zod';
import { anyConcept } from '../../src/fhir/coding.ts';
import { date } from '../../src/fhir/date-time.ts';
import { element, list, nonEmptyElement, text } from '../../src/fhir/element.ts';
import { quantity, range, ratio, timing } from '../../src/fhir/quantity.ts';
import { createElementReader } from '../../src/fhir/source-resource.ts';
import { describeIssues } from '../results.ts';

const read = createElementReader<Record<string, unknown>>('Thing', {
  day: date.optional(),
  concept: anyConcept.optional(),
  part: list(element({ name: text, days: z.array(date).optional() }, [])).optional(),
  box: nonEmptyElement({ inner: nonEmptyElement({ day: date.optional() }, []).optional() }, []).optional(),
});

const readAll = (resource: Record<string, unknown>) => {
  const { value, issues } = read(resource);
  return [JSON.parse(JSON.stringify(value)), describeIssues(issues)];
};

test('the elements of the group are read as they were sent, and no others', () => {
  const sent = { day: '2026', concept: { text: 'x' }, part: [{ name: 'a', days: ['2026'] }] };
  expect(readAll({ ...sent, other: 7 })).toEqual([sent, []]);
});

test.each<[what: string, sent: object, kept: object, issues: readonly string[]]>([
  ['an element', { day: 'soon', concept: { text: 'x' } }, { concept: { text: 'x' } }, ['Thing.day']],
  [
    'a part of one',
    { concept: { text: '', coding: [{ code: '1' }] } },
    { concept: { coding: [{ code: '1' }] } },
    ['Thing.concept.text'],
  ],
  [
    'one of an array',
    { part: [{ name: 'a' }, 7, { name: 'b' }] },
    { part: [{ name: 'a' }, { name: 'b' }] },
    ['Thing.part[1]'],
  ],
  [
    'what lacks something required',
    { part: [{ days: ['2026'] }, { name: 'b' }] },
    { part: [{ name: 'b' }] },
    ['Thing.part[0]'],
  ],
  [
    'one of an array within an element',
    { concept: { coding: [{ code: '1' }, { system: '' }, { code: '3' }] } },
    { concept: { coding: [{ code: '1' }, { code: '3' }] } },
    ['Thing.concept.coding[1]'],
  ],
  ['what is empty without it', { box: { inner: { day: 'soon' } } }, {}, ['Thing.box']],
  ['what is no array', { part: { name: 'a' } }, {}, ['Thing.part']],
  ['an array that should be none', { day: ['2026'] }, {}, ['Thing.day']],
])('the smallest part that is not valid is left out and reported: %s', (_what, sent, kept, issues) => {
  expect(readAll({ ...sent })).toEqual([kept, issues.map((expression) => `left-out at ${expression}`)]);
});

test('a name that is not stored is left out silently', () => {
  expect(readAll({ part: [{ id: '1', name: 'a', more: true }] })).toEqual([{ part: [{ name: 'a' }] }, []]);
});

test('spare white space is removed from a code', () => {
  const coding = [{ code: ' a  b' }, { code: 'c' }];
  expect(readAll({ concept: { coding } })).toEqual([
    { concept: { coding: [{ code: 'a b' }, { code: 'c' }] } },
    [],
  ]);
});

test('an element with many parts that are not valid is read in a few passes', () => {
  const coding = Array.from({ length: 1000 }, (_, at) => ({
    code: '\u0000',
    display: at % 2 === 0 ? 'x' : '',
  }));
  const { value, issues } = read({ concept: { coding } });
  expect([(value.concept as { coding: unknown[] }).coding.length, issues.length]).toEqual([500, 1000]);
});

const readOrder = createElementReader<Record<string, unknown>>('Order', {
  amount: quantity.optional(),
  range: range.optional(),
  ratio: ratio.optional(),
  when: timing.optional(),
  concept: anyConcept.optional(),
});

const mg = { value: 5, unit: 'mg' };

test.each<[what: string, sent: object, kept: object, issue: string]>([
  ['the comparator of an amount', { amount: { ...mg, comparator: '!' } }, {}, 'Order.amount'],
  ['its unit', { amount: { value: 5, unit: 7 } }, {}, 'Order.amount'],
  ['but not its value', { amount: { ...mg, value: 'x' } }, { amount: { unit: 'mg' } }, 'Order.amount.value'],
  ['an end of a range', { range: { low: mg, high: 'x' } }, {}, 'Order.range'],
  [
    'what is empty without what cannot be read',
    { range: { low: mg, high: { value: 'x' } } },
    {},
    'Order.range',
  ],
  ['the unit of a ratio', { ratio: { numerator: { ...mg, code: '' }, denominator: mg } }, {}, 'Order.ratio'],
  [
    'a day of a timing',
    { when: { repeat: { dayOfWeek: ['mon', 'x'] }, code: { text: 'x' } } },
    { when: { code: { text: 'x' } } },
    'Order.when.repeat',
  ],
  [
    'an end of its period',
    { when: { repeat: { boundsPeriod: { start: '2026', end: 'x' } } } },
    {},
    'Order.when',
  ],
  [
    'the system of a coding',
    { concept: { text: 'x', coding: [{ code: '1', system: 7 }] } },
    { concept: { text: 'x', coding: [] } },
    'Order.concept.coding[0]',
  ],
])('what says something else without a part goes with it: %s', (_what, sent, kept, issue) => {
  const { value, issues } = readOrder({ ...sent });
  expect([JSON.parse(JSON.stringify(value)), describeIssues(issues)]).toEqual([
    kept,
    [`left-out at ${issue}`],
  ]);
});

test('an end of a range in which nothing is stored does not take the range with it', () => {
  expect(readOrder({ range: { low: mg, high: { id: '1' } } }).value).toEqual({ range: { low: mg } });
});

test('a part is reported where it was sent, also if entries before it are left out first', () => {
  const coding = [
    null,
    { display: 'a' },
    { display: '', system: '' },
    { display: '' },
    { display: 7, code: '1' },
  ];
  expect(describeIssues(readOrder({ concept: { coding } }).issues)).toEqual(
    ['coding[0]', 'coding[2]', 'coding[3]', 'coding[4].display'].map(
      (part) => `left-out at Order.concept.${part}`,
    ),
  );
});
