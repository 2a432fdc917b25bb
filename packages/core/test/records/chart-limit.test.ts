import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import {
  isWithinLimit,
  limitedTo,
  parseChartLimit,
  requireWithinCharts,
  requireWithinLimit,
} from '../../src/records/chart-limit.ts';
import { refusal, rightOf } from '../results.ts';

test('a caller without a limit reaches every chart', () => {
  expect(E.isRight(requireWithinLimit({})('p1'))).toBe(true);
  expect(rightOf(parseChartLimit({}))(null)).toBe(true);
});

test('a caller who is limited to one chart reaches only that chart', () => {
  expect(E.isRight(requireWithinLimit({ within: 'p1' })('p1'))).toBe(true);
  expect(refusal(requireWithinLimit({ within: 'p1' })('p2'))).toEqual(['Forbidden', 'other-chart']);
  expect(['p1', 'p2', null].map(rightOf(parseChartLimit({ within: 'p1' })))).toEqual([true, false, false]);
});

test('a caller who is limited to several charts reaches each of them', () => {
  const some = { within: ['p1', 'p2'] };
  expect(['p1', 'p2', 'p3', null].map(rightOf(parseChartLimit(some)))).toEqual([true, true, false, false]);
  expect(refusal(requireWithinLimit(some)('p3'))).toEqual(['Forbidden', 'other-chart']);
});

test('a caller who is limited to no chart at all reaches none', () => {
  expect(rightOf(parseChartLimit({ within: [] }))('p1')).toBe(false);
});

test('where a limit to resources counts by itself, its charts are reached; elsewhere it is refused', () => {
  const limit = { within: 'p1', matching: [new URLSearchParams('status=active')] };
  expect(E.isRight(requireWithinCharts(limit)('p1'))).toBe(true);
  expect(refusal(requireWithinCharts(limit)('p2'))).toEqual(['Forbidden', 'other-chart']);
  expect(E.isRight(requireWithinCharts({ matching: limit.matching })('p2'))).toBe(true);
  expect(refusal(requireWithinLimit(limit)('p1'))).toEqual(['Forbidden', 'other-chart']);
});

test('a resource is within a limit if each of its charts is, and at least one of them is known', () => {
  const some = { within: ['p1', 'p2'] };
  expect([['p1'], ['p1', 'p2'], ['p1', 'p3'], []].map((ids) => isWithinLimit(some, ids))).toEqual([
    ...[true, true, false, false],
  ]);
  expect(isWithinLimit({}, [])).toBe(true);
});

test.each([undefined, null, '', '7 ', 'Patient/7', 7, [7], ['7', ''], true])(
  'a caller who is limited to an invalid patient, such as by a session without one, reaches no chart: %j',
  (within) => {
    const nobody = { within } as object;
    expect(limitedTo(nobody)).toBeNull();
    expect(refusal(requireWithinLimit(nobody)('7'))).toEqual(['Forbidden', 'other-chart']);
    expect(refusal(parseChartLimit(nobody))).toEqual(['Forbidden', 'other-chart']);
  },
);
