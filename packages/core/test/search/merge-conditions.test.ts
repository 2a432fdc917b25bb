import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeConditions, mergeDates } from '../../src/search/merge-conditions.ts';
import type { IndexEntry } from '../../src/store/index-entry.ts';
import { dateMatches, matches, type SearchableRecord } from '../../src/store/matches.ts';
import {
  type DateCriterion,
  type DatePrefix,
  datePrefixes,
  type PositiveCondition,
  type SearchCondition,
} from '../../src/store/query.ts';

/** How often a property is checked with random conditions. CI does so five times as often. */
const runs = process.env.STORES === 'all' ? 1000 : 200;

const time = fc.integer({ min: 0, max: 8 });
const interval = fc
  .tuple(time, fc.integer({ min: 0, max: 4 }))
  .map(([from, length]) => ({ from, until: from + length }));
const date = fc
  .tuple(fc.constantFrom(...datePrefixes), interval)
  .map(([prefix, lies]): DateCriterion => ({ prefix, ...lies }));
const few = <A>(one: fc.Arbitrary<A>) => fc.array(one, { maxLength: 4 });

const text = fc.constantFrom('a', 'b', 'c');
const word = fc.constantFrom('a', 'ab', 'abc', 'b');
const parameter = fc.constantFrom('x', 'y');
const positive: fc.Arbitrary<PositiveCondition> = fc.oneof(
  fc.record({ on: fc.constantFrom('id' as const, 'patient' as const), anyOf: few(text) }),
  fc.record({
    on: fc.constant('token' as const),
    parameter,
    anyOf: few(fc.record({ system: fc.option(text), code: fc.option(text) })),
  }),
  fc.record({
    on: fc.constant('reference' as const),
    parameter,
    anyOf: few(fc.record({ type: text, id: text })),
  }),
  fc.record({ on: fc.constant('string' as const), parameter, anyOf: few(word) }),
  fc.record({ on: fc.constant('date' as const), parameter, anyOf: few(date) }),
  fc.record({ on: fc.constant('at' as const), anyOf: few(date) }),
  fc.record({
    on: fc.constant('entry' as const),
    kind: fc.constantFrom('token', 'reference', 'string', 'date'),
    parameter,
  }),
);
const condition: fc.Arbitrary<SearchCondition> = fc.oneof(
  { weight: 2, arbitrary: positive },
  { weight: 1, arbitrary: fc.record({ on: fc.constant('not' as const), condition: positive }) },
);
const entry: fc.Arbitrary<IndexEntry> = fc.oneof(
  fc.record({ kind: fc.constant('token' as const), parameter, system: text, code: text }),
  fc.record({ kind: fc.constant('reference' as const), parameter, type: text, id: text }),
  fc.record({ kind: fc.constant('string' as const), parameter, word }),
  fc
    .tuple(parameter, interval)
    .map(([named, lies]) => ({ kind: 'date' as const, parameter: named, ...lies })),
);
const record: fc.Arbitrary<SearchableRecord> = fc.record({
  type: fc.constant('Goal'),
  id: text,
  patientId: fc.option(text),
  at: fc.integer({ min: -1, max: 9 }),
  index: few(entry),
});

test('merged conditions hold for the same records', () => {
  fc.assert(
    fc.property(fc.array(condition, { maxLength: 5 }), record, (conditions, one) => {
      const holds = (searched: readonly SearchCondition[]) =>
        matches({ type: 'Goal', conditions: searched })(one);
      expect(holds(mergeConditions(conditions))).toBe(holds(conditions));
    }),
    { numRuns: 5 * runs },
  );
});

/** Conditions on one parameter, because conditions on several are compared with none. */
const ofOneParameter = (positives: fc.Arbitrary<PositiveCondition>) => {
  const named = positives.map((one) => ('parameter' in one ? { ...one, parameter: 'x' } : one));
  const either = fc.oneof(named, fc.record({ on: fc.constant('not' as const), condition: named }));
  return fc.tuple(either, either);
};

/** Records with no entry, with each, and with each two of them. */
const recordsWith = (entries: readonly IndexEntry[]): readonly SearchableRecord[] =>
  [
    [],
    ...entries.map((one) => [one]),
    ...entries.flatMap((one, at) => entries.slice(at + 1).map((other) => [one, other])),
  ].map((index) => ({ type: 'Goal', id: 'a', patientId: null, at: 0, index }));

const oneOrTwo = <A>(one: fc.Arbitrary<A>) => fc.array(one, { minLength: 1, maxLength: 2 });
const ab = ['a', 'b'] as const;
const letter = fc.constantFrom(...ab);
const times = Array.from({ length: 7 }, (_, from) =>
  [0, 1, 3].map((length) => ({ from, until: from + length })),
);

test.each<[string, fc.Arbitrary<PositiveCondition>, readonly SearchableRecord[]]>([
  [
    'tokens',
    fc.record({
      on: fc.constant('token' as const),
      parameter,
      anyOf: oneOrTwo(fc.record({ system: fc.option(letter), code: fc.option(letter) })),
    }),
    recordsWith(
      ab.flatMap((system) => ab.map((code) => ({ kind: 'token' as const, parameter: 'x', system, code }))),
    ),
  ],
  [
    'references',
    fc.record({
      on: fc.constant('reference' as const),
      parameter,
      anyOf: oneOrTwo(fc.record({ type: letter, id: letter })),
    }),
    recordsWith(
      ab.flatMap((type) => ab.map((id) => ({ kind: 'reference' as const, parameter: 'x', type, id }))),
    ),
  ],
  [
    'words',
    fc.record({ on: fc.constant('string' as const), parameter, anyOf: oneOrTwo(word) }),
    recordsWith(
      ['a', 'ab', 'abc', 'b'].map((one) => ({ kind: 'string' as const, parameter: 'x', word: one })),
    ),
  ],
  [
    'dates',
    fc.record({ on: fc.constant('date' as const), parameter, anyOf: oneOrTwo(date) }),
    recordsWith(times.flat().map((lies) => ({ kind: 'date' as const, parameter: 'x', ...lies }))),
  ],
  [
    'times of versions',
    fc.record({ on: fc.constant('at' as const), anyOf: oneOrTwo(date) }),
    Array.from({ length: 11 }, (_, at) => ({
      type: 'Goal',
      id: 'a',
      patientId: null,
      at: at - 1,
      index: [],
    })),
  ],
  [
    'ids and patients',
    fc.record({ on: fc.constantFrom('id' as const, 'patient' as const), anyOf: oneOrTwo(letter) }),
    ab.flatMap((id) => [...ab, null].map((patientId) => ({ type: 'Goal', id, patientId, at: 0, index: [] }))),
  ],
  [
    'entries and tokens',
    fc.oneof(
      fc.record({ on: fc.constant('entry' as const), kind: fc.constantFrom('token', 'date'), parameter }),
      fc.record({
        on: fc.constant('token' as const),
        parameter,
        anyOf: oneOrTwo(fc.record({ system: fc.constant(null), code: fc.option(letter) })),
      }),
    ),
    recordsWith([
      { kind: 'token', parameter: 'x', system: 'a', code: 'a' },
      { kind: 'date', parameter: 'x', from: 0, until: 1 },
    ]),
  ],
])('two merged conditions on one parameter hold for the same records: %s', (_, positives, records) => {
  fc.assert(
    fc.property(ofOneParameter(positives), (conditions) => {
      const merged = matches({ type: 'Goal', conditions: mergeConditions(conditions) });
      const searched = matches({ type: 'Goal', conditions });
      expect(records.filter(merged)).toEqual(records.filter(searched));
    }),
    { numRuns: runs },
  );
});

test('merging conditions again does not change them', () => {
  fc.assert(
    fc.property(fc.array(condition, { maxLength: 5 }), (conditions) => {
      const merged = mergeConditions(conditions);
      expect(mergeConditions(merged)).toEqual(merged);
    }),
    { numRuns: runs },
  );
});

const all = Array.from({ length: 16 }, (_, from) =>
  Array.from({ length: 8 }, (_, length) => ({ from: from - 2, until: from - 2 + length })),
).flat();

const found = (criteria: readonly DateCriterion[]) =>
  all.filter((lies) => criteria.some((one) => dateMatches(one)(lies)));

test('merged dates hold for the same times', () => {
  fc.assert(
    fc.property(few(date), (criteria) => {
      expect(found(mergeDates(criteria))).toEqual(found(criteria));
    }),
    { numRuns: 5 * runs },
  );
});

test('merged dates are one before, one after, and intervals of which none is within another criterion', () => {
  fc.assert(
    fc.property(fc.array(date, { maxLength: 12 }), (criteria) => {
      const merged = mergeDates(criteria);
      const count = (...prefixes: readonly DatePrefix[]) =>
        merged.filter(({ prefix }) => prefixes.includes(prefix)).length;
      expect(count('lt', 'le', 'eb')).toBeLessThan(2);
      expect(count('gt', 'ge', 'sa')).toBeLessThan(2);
      for (const one of merged.filter(({ prefix }) => prefix === 'eq')) {
        for (const other of merged) {
          if (other !== one) expect(found([one, other]).length).toBeGreaterThan(found([other]).length);
        }
      }
    }),
  );
});

describe('conditions with the same meaning are merged', () => {
  const at = (prefix: DatePrefix, from: number, until = from + 1): DateCriterion => ({ prefix, from, until });
  const dates = (...anyOf: readonly DateCriterion[]): SearchCondition => ({
    on: 'date',
    parameter: 'authored',
    anyOf,
  });
  const codes = (...anyOf: readonly (readonly [string | null, string | null])[]): SearchCondition => ({
    on: 'token',
    parameter: 'code',
    anyOf: anyOf.map(([system, code]) => ({ system, code })),
  });

  test('dates of one prefix', () => {
    expect(mergeConditions([dates(at('ge', 30), at('ge', 10), at('ge', 20))])).toEqual([dates(at('ge', 10))]);
    expect(mergeConditions([dates(at('lt', 30), at('lt', 10))])).toEqual([dates(at('lt', 30, 30))]);
    expect(mergeConditions([dates(at('eq', 10, 20), at('eq', 12, 15))])).toEqual([dates(at('eq', 10, 20))]);
    expect(mergeConditions([dates(at('ap', 14, 20), at('ap', 10, 15))])).toEqual([dates(at('ap', 10, 20))]);
  });

  test('dates that together exclude nothing match any date', () => {
    const any = mergeConditions([dates(at('ge', 10), at('lt', 10))]);
    for (const criteria of [
      [at('gt', 10), at('le', 10)],
      [at('ne', 10), at('lt', 30)],
      [at('ne', 10), at('ne', 30), at('eq', 7)],
      [at('sa', 10), at('lt', 30), at('ap', 3)],
    ]) {
      expect(mergeConditions([dates(...criteria)])).toEqual(any);
    }
    expect(any).toEqual([dates(expect.anything())]);
  });

  test('dates that another prefix covers', () => {
    expect(mergeConditions([dates(at('ge', 10), at('eq', 15), at('sa', 40), at('ap', 70))])).toEqual([
      dates(at('ge', 10)),
    ]);
  });

  test('tokens that a broader one covers', () => {
    expect(mergeConditions([codes(['s', 'a'], ['s', null], ['t', 'a'], [null, 'a'], ['s', 'b'])])).toEqual([
      codes(['s', null], [null, 'a']),
    ]);
  });

  test('beginnings of words that a shorter one covers', () => {
    const words = (...anyOf: readonly string[]): SearchCondition => ({
      on: 'string',
      parameter: 'name',
      anyOf,
    });
    expect(mergeConditions([words('amy', 'am', 'b', 'am')])).toEqual([words('am', 'b')]);
    expect(mergeConditions([words('am', 'b'), words('amy')])).toEqual([words('amy')]);
    expect(mergeConditions([words('am'), words('b')])).toHaveLength(2);
  });

  test('repeated criteria in any notation', () => {
    const patients: SearchCondition = { on: 'patient', anyOf: ['1', '2', '1'] };
    expect(
      mergeConditions([patients, codes([null, 'a']), patients, codes([null, 'a'], [null, 'a'])]),
    ).toEqual([{ on: 'patient', anyOf: ['1', '2'] }, codes([null, 'a'])]);
  });

  test('a condition that another implies', () => {
    expect(mergeConditions([dates(at('ge', 10)), dates(at('ge', 30)), dates(at('ge', 20))])).toEqual([
      dates(at('ge', 30)),
    ]);
    expect(mergeConditions([codes(['s', null]), codes(['s', 'a'])])).toEqual([codes(['s', 'a'])]);
    expect(mergeConditions([codes(['s', 'a']), codes(['s', 'b'])])).toHaveLength(2);
  });

  test('a condition that must not hold, if more must not hold', () => {
    const not = (condition: SearchCondition) => ({ on: 'not', condition }) as SearchCondition;
    expect(mergeConditions([not(codes(['s', 'a'])), not(codes(['s', null], ['t', 'b']))])).toEqual([
      not(codes(['s', null], ['t', 'b'])),
    ]);
    expect(mergeConditions([not(codes(['s', 'a'])), codes(['s', 'a'])])).toHaveLength(2);
    const patient: SearchCondition = { on: 'patient', anyOf: ['1'] };
    expect(mergeConditions([not(patient), patient])).toEqual([patient, not(patient)]);
  });

  test('the same entries', () => {
    const dueDates: SearchCondition = { on: 'entry', kind: 'date', parameter: 'due' };
    const dueCodes: SearchCondition = { ...dueDates, kind: 'token' };
    expect(mergeConditions([dueDates, dueDates, dueCodes])).toEqual([dueDates, dueCodes]);
  });

  test('ids and patients that all conditions on them name', () => {
    expect(
      mergeConditions([
        { on: 'id', anyOf: ['a', 'b'] },
        { on: 'patient', anyOf: ['1'] },
        { on: 'id', anyOf: ['b', 'c'] },
        { on: 'patient', anyOf: ['2'] },
      ]),
    ).toEqual([
      { on: 'id', anyOf: ['b'] },
      { on: 'patient', anyOf: [] },
    ]);
  });
});
