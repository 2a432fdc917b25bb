import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { limitedTo, parseChartLimit, requireWithinLimit } from '../../src/records/chart-limit.ts';
import { refusal, rightOf } from '../results.ts';

test('who is limited to no chart reaches every chart', () => {
  expect(E.isRight(requireWithinLimit({})('p1'))).toBe(true);
  expect(rightOf(parseChartLimit({}))(null)).toBe(true);
});

test('who is limited to one chart reaches that one alone', () => {
  expect(E.isRight(requireWithinLimit({ within: 'p1' })('p1'))).toBe(true);
  expect(refusal(requireWithinLimit({ within: 'p1' })('p2'))).toEqual(['Forbidden', 'other-chart']);
  expect(['p1', 'p2', null].map(rightOf(parseChartLimit({ within: 'p1' })))).toEqual([true, false, false]);
});

test.each([undefined, null, '', '7 ', 'Patient/7', 7, ['7'], true])(
  'who is limited to the chart of nobody, as by a session without a patient, reaches none: %j',
  (within) => {
    const nobody = { within } as object;
    expect(limitedTo(nobody)).toBeNull();
    expect(refusal(requireWithinLimit(nobody)('7'))).toEqual(['Forbidden', 'other-chart']);
    expect(refusal(parseChartLimit(nobody))).toEqual(['Forbidden', 'other-chart']);
  },
);
