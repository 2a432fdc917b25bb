import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { createTimeZone } from '../../src/fhir/date-time.ts';
import { type MatchingFacts, meetsConditions, parseMatching } from '../../src/search/matching.ts';
import type { SearchPair } from '../../src/search/search-input.ts';

const facts: MatchingFacts = {
  type: 'Order',
  parameters: {
    _id: { kind: 'id' },
    patient: { kind: 'patient' },
    status: { kind: 'token', at: 'status', system: 's', codes: ['a', 'b', 'c'] },
    code: { kind: 'token', at: 'code', system: 's' },
    date: { kind: 'date', at: 'date' },
  },
};

const zone = createTimeZone('UTC');
const time = { zone, now: 0 };

const pair: fc.Arbitrary<SearchPair> = fc.oneof(
  fc.constantFrom<SearchPair>(['status', 'a'], ['status', 'a,b'], ['status', 's|c']),
  fc.constantFrom<SearchPair>(['code', 'x'], ['code', 'y,x'], ['code', 's|']),
  fc.constantFrom<SearchPair>(['date', '2026'], ['date', 'lt2026'], ['date', 'ge2026-02']),
  fc.constantFrom<SearchPair>(['_id', '1'], ['patient', '7'], ['patient', 'Patient/8']),
);
const search = fc.array(pair, { minLength: 1, maxLength: 2 });

const record = fc
  .record({
    id: fc.constantFrom('1', '2'),
    patientId: fc.constantFrom('7', '8', null),
    order: fc.record({
      status: fc.constantFrom('a', 'b', 'c'),
      code: fc.constantFrom('x', 'y', 'z'),
      date: fc.constantFrom('2025-12-31', '2026-01-01', '2026-03'),
    }),
  })
  .map(({ order, ...rest }) => ({ ...rest, resource: JSON.stringify(order) }));

const conditionsOf = (...matching: readonly (readonly SearchPair[])[]) =>
  parseMatching(facts, matching, time);

test('some searches are found by one if a record meets it that meets any of them', () => {
  let united = 0;
  fc.assert(
    fc.property(fc.array(search, { minLength: 1, maxLength: 3 }), fc.array(record), (matching, records) => {
      const union = conditionsOf(...matching);
      if (E.isLeft(union)) {
        expect(union.left).toMatchObject([{ rule: 'limit-union' }]);
        return;
      }
      united += matching.length > 1 ? 1 : 0;
      const meets = meetsConditions(facts, union.right, zone);
      const meetOne = matching.map((one) => {
        const parsed = conditionsOf(one);
        if (E.isLeft(parsed)) throw new Error('One search has no union.');
        return meetsConditions(facts, parsed.right, zone);
      });
      for (const each of records) expect(meets(each)).toBe(meetOne.some((meetsOne) => meetsOne(each)));
    }),
    { numRuns: 2000 },
  );
  // About 120 of the 2,000 are unions: without any, the property would say nothing.
  expect(united).toBeGreaterThan(50);
});

test('no search finds nothing, and a record without a resource is not found', () => {
  const nothing = conditionsOf();
  if (E.isLeft(nothing)) throw new Error('There is an issue.');
  const resource = '{"status":"a","code":"x","date":"2026"}';
  expect(meetsConditions(facts, nothing.right, zone)({ id: '1', patientId: '7', resource })).toBe(false);
  expect(meetsConditions(facts, [], zone)({ id: '1', patientId: '7', resource })).toBe(true);
  expect(meetsConditions(facts, [], zone)({ id: '1', patientId: '7', resource: null })).toBe(false);
});
