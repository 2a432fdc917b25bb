import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { chartWithin, reachOf, withinChart } from '../../src/records/access.ts';
import { refusal, rightOf } from '../results.ts';

test('who is limited to no chart reaches every chart', () => {
  expect(E.isRight(withinChart({})('p1'))).toBe(true);
  expect(rightOf(reachOf({}))(null)).toBe(true);
});

test('who is limited to one chart reaches that one alone', () => {
  expect(E.isRight(withinChart({ within: 'p1' })('p1'))).toBe(true);
  expect(refusal(withinChart({ within: 'p1' })('p2'))).toEqual(['Forbidden', 'other-chart']);
  expect(['p1', 'p2', null].map(rightOf(reachOf({ within: 'p1' })))).toEqual([true, false, false]);
});

test.each([undefined, null, '', '7 ', 'Patient/7', 7, ['7'], true])(
  'who is limited to the chart of nobody, as by a session without a patient, reaches none: %j',
  (within) => {
    const nobody = { within } as object;
    expect(chartWithin(nobody)).toBeNull();
    expect(refusal(withinChart(nobody)('7'))).toEqual(['Forbidden', 'other-chart']);
    expect(refusal(reachOf(nobody))).toEqual(['Forbidden', 'other-chart']);
  },
);
