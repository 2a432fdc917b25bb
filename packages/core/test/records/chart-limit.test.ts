import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { limitedTo, parseChartLimit, requireWithinLimit } from '../../src/records/chart-limit.ts';
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

test.each([undefined, null, '', '7 ', 'Patient/7', 7, ['7'], true])(
  'a caller who is limited to an invalid patient, such as by a session without one, reaches no chart: %j',
  (within) => {
    const nobody = { within } as object;
    expect(limitedTo(nobody)).toBeNull();
    expect(refusal(requireWithinLimit(nobody)('7'))).toEqual(['Forbidden', 'other-chart']);
    expect(refusal(parseChartLimit(nobody))).toEqual(['Forbidden', 'other-chart']);
  },
);
