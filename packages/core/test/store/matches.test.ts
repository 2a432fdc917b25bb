import { describe, expect, test } from 'vitest';
import type { Interval } from '../../src/store/index-entry.ts';
import { dateMatches, matches, type SearchableRecord } from '../../src/store/matches.ts';
import type { DatePrefix, PositiveCondition, SearchCondition } from '../../src/store/query.ts';

const order: SearchableRecord = {
  type: 'ServiceRequest',
  id: 's1',
  patientId: 'p1',
  at: 15,
  index: [
    { kind: 'token', parameter: 'code', system: 'http://loinc.org', code: '1-8' },
    { kind: 'token', parameter: 'code', system: '', code: 'local' },
    { kind: 'token', parameter: 'category', system: 'http://snomed.info/sct', code: '108252007' },
    { kind: 'reference', parameter: 'participant', type: 'Practitioner', id: 'dr-1' },
    { kind: 'string', parameter: 'name', word: 'shaw' },
    { kind: 'date', parameter: 'authored', from: 10, until: 20 },
  ],
};
const found = (...conditions: readonly SearchCondition[]) =>
  matches({ type: 'ServiceRequest', conditions })(order);

test('a record has the time of its current version, as an interval of a millisecond', () => {
  const inTime = (prefix: DatePrefix, from: number, until: number) =>
    found({ on: 'at', anyOf: [{ prefix, from, until }] });
  expect([inTime('eq', 15, 16), inTime('eq', 10, 20), inTime('eq', 14, 15)]).toEqual([true, true, false]);
  expect([inTime('gt', 14, 15), inTime('gt', 15, 16), inTime('le', 15, 16)]).toEqual([true, false, true]);
  expect(found({ on: 'at', anyOf: [] })).toBe(false);
});

test('a record of another type does not match', () => {
  expect(matches({ type: 'Goal', conditions: [] })(order)).toBe(false);
  expect(found()).toBe(true);
});

test('all conditions must hold: a repeated parameter is "and"', () => {
  const holds: SearchCondition = { on: 'id', anyOf: ['s1'] };
  const fails: SearchCondition = { on: 'patient', anyOf: ['p2'] };
  expect([found(holds), found(holds, fails), found(fails, holds)]).toEqual([true, false, false]);
});

test('one of the criteria must hold: a comma is "or"', () => {
  expect(found({ on: 'id', anyOf: ['s0', 's1'] })).toBe(true);
  expect(found({ on: 'id', anyOf: ['s0', 's2'] })).toBe(false);
});

test.each<[SearchCondition]>([
  [{ on: 'id', anyOf: [] }],
  [{ on: 'patient', anyOf: [] }],
  [{ on: 'token', parameter: 'code', anyOf: [] }],
  [{ on: 'reference', parameter: 'participant', anyOf: [] }],
  [{ on: 'date', parameter: 'authored', anyOf: [] }],
])('a condition without criteria matches no record: %j', (condition) => {
  expect(found(condition)).toBe(false);
});

test('a patient matches by id', () => {
  expect(found({ on: 'patient', anyOf: ['p2', 'p1'] })).toBe(true);
  expect(found({ on: 'patient', anyOf: ['p2'] })).toBe(false);
  const ofNone = { ...order, patientId: null };
  expect(matches({ type: 'ServiceRequest', conditions: [{ on: 'patient', anyOf: ['p1'] }] })(ofNone)).toBe(
    false,
  );
});

describe('tokens', () => {
  const code = (system: string | null, value: string | null, parameter = 'code') =>
    found({ on: 'token', parameter, anyOf: [{ system, code: value }] });

  test.each([
    ['code', null, '1-8', true],
    ['another code', null, '2-6', false],
    ['a code in another case', null, 'LOCAL', false],
    ['system|code', 'http://loinc.org', '1-8', true],
    ['system|code of another system', 'urn:x', '1-8', false],
    ['system|code of two different codings', 'http://loinc.org', 'local', false],
    ['system|', 'http://loinc.org', null, true],
    ['system| of another system', 'urn:x', null, false],
    ['|code without a system', '', 'local', true],
    ['|code of one that has a system', '', '1-8', false],
  ])('%s', (_what, system, value, is) => {
    expect(code(system, value)).toBe(is);
  });

  test('with another parameter do not match', () => {
    expect(code(null, '108252007')).toBe(false);
    expect(code(null, '108252007', 'category')).toBe(true);
    expect(code(null, 'dr-1', 'participant')).toBe(false);
  });
});

test.each([
  ['the same', 'participant', 'Practitioner', 'dr-1', true],
  ['another type', 'participant', 'Organization', 'dr-1', false],
  ['another id', 'participant', 'Practitioner', 'dr-2', false],
  ['another parameter', 'requester', 'Practitioner', 'dr-1', false],
])('a reference matches: %s', (_what, parameter, type, id, is) => {
  expect(found({ on: 'reference', parameter, anyOf: [{ type, id }] })).toBe(is);
});

test.each([
  ['the word', 'name', 'shaw', true],
  ['its beginning', 'name', 's', true],
  ['another part of it', 'name', 'haw', false],
  ['more than the word', 'name', 'shaws', false],
  ['the word under another parameter', 'family', 'shaw', false],
])('a word matches: %s', (_what, parameter, beginning, is) => {
  expect(found({ on: 'string', parameter, anyOf: [beginning] })).toBe(is);
});

test('a date matches by its interval', () => {
  const at = (parameter: string, from: number) =>
    found({ on: 'date', parameter, anyOf: [{ prefix: 'ap', from, until: from + 1 }] });
  expect([at('authored', 10), at('authored', 20), at('recorded', 10)]).toEqual([true, false, false]);
});

test.each([
  ['token', 'code', true],
  ['reference', 'participant', true],
  ['string', 'name', true],
  ['date', 'authored', true],
  ['token', 'participant', false],
  ['date', 'name', false],
  ['reference', 'requester', false],
] as const)('an entry matches by its kind and its parameter: %s %s', (kind, parameter, is) => {
  expect(found({ on: 'entry', kind, parameter })).toBe(is);
});

test('a condition that must not hold matches what the condition within does not', () => {
  const without = (condition: PositiveCondition) => found({ on: 'not', condition });
  const code = (...codes: readonly string[]): PositiveCondition => ({
    on: 'token',
    parameter: 'code',
    anyOf: codes.map((value) => ({ system: null, code: value })),
  });
  expect([without(code('1-8')), without(code('2-6')), without(code('2-6', '1-8'))]).toEqual([
    false,
    true,
    false,
  ]);
  expect(without(code())).toBe(true);
  expect(without({ on: 'entry', kind: 'reference', parameter: 'requester' })).toBe(true);
  expect(without({ on: 'patient', anyOf: ['p1'] })).toBe(false);
});

/** FHIR R4, Search, 3.1.1.4.7, word for word, on sets of milliseconds. Both sets are without gaps and not empty. */
const slowly: Readonly<Record<DatePrefix, (wanted: Set<number>, lies: Set<number>) => boolean>> = {
  /** The range of the search value fully contains the range of the target value. */
  eq: (wanted, lies) => [...lies].every((one) => wanted.has(one)),
  ne: (wanted, lies) => [...lies].some((one) => !wanted.has(one)),
  /** The range above the search value intersects the range of the target value. */
  gt: (wanted, lies) => [...lies].some((one) => [...wanted].every((other) => one > other)),
  ge: (wanted, lies) => slowly.gt(wanted, lies) || slowly.eq(wanted, lies),
  /** The range below the search value intersects the range of the target value. */
  lt: (wanted, lies) => [...lies].some((one) => [...wanted].every((other) => one < other)),
  le: (wanted, lies) => slowly.lt(wanted, lies) || slowly.eq(wanted, lies),
  /** The range above the search value contains the range of the target value. */
  sa: (wanted, lies) => [...lies].every((one) => [...wanted].every((other) => one > other)),
  /** The range below the search value contains the range of the target value. */
  eb: (wanted, lies) => [...lies].every((one) => [...wanted].every((other) => one < other)),
  /** The two overlap. */
  ap: (wanted, lies) => [...lies].some((one) => wanted.has(one)),
};

const prefixes = Object.keys(slowly) as readonly DatePrefix[];
const millisecondsOf = ({ from, until }: Interval) =>
  new Set(Array.from({ length: until - from }, (_, index) => from + index));

/** Four ends lie to each other in no other ways than these. */
const intervals: readonly Interval[] = [0, 1, 2, 3, 4].flatMap((from) =>
  [1, 2, 3, 4, 5].filter((until) => until > from).map((until) => ({ from, until })),
);

test.each(prefixes)('%s means what FHIR says, by a slow definition on sets of milliseconds', (prefix) => {
  for (const wanted of intervals) {
    for (const lies of intervals) {
      const expected = slowly[prefix](millisecondsOf(wanted), millisecondsOf(lies));
      expect([wanted, lies, dateMatches({ prefix, ...wanted })(lies)]).toEqual([wanted, lies, expected]);
    }
  }
});
