import { expect, test } from 'vitest';
import { z } from 'zod';
import { anyConcept } from '../../src/fhir/coding.ts';
import { date } from '../../src/fhir/date-time.ts';
import { element, list, nonEmptyElement, text } from '../../src/fhir/element.ts';
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
