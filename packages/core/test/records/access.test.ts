import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { chartWithin, withinChart } from '../../src/records/access.ts';
import { refusal } from '../results.ts';

test('who is limited to no chart reaches every chart', () => {
  expect(E.isRight(withinChart({})('p1'))).toBe(true);
  expect(E.isRight(withinChart({})(null))).toBe(true);
});

test('who is limited to one chart reaches that one alone', () => {
  expect(E.isRight(withinChart({ within: 'p1' })('p1'))).toBe(true);
  expect(refusal(withinChart({ within: 'p1' })('p2'))).toEqual(['Forbidden', 'other-chart']);
  expect(refusal(withinChart({ within: 'p1' })(null))).toEqual(['Forbidden', 'other-chart']);
});

test.each([undefined, null, '', '7 ', 'Patient/7', 7, ['7'], true])(
  'who is limited to the chart of nobody, as by a session without a patient, reaches none: %j',
  (within) => {
    const nobody = { within } as object;
    expect(chartWithin(nobody)).toBeNull();
    expect(refusal(withinChart(nobody)('7'))).toEqual(['Forbidden', 'other-chart']);
    expect(refusal(withinChart(nobody)(null))).toEqual(['Forbidden', 'other-chart']);
  },
);
