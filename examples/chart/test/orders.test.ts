import { expect, test } from 'vitest';
import { periodOf, urgencyOf } from '../src/model/orders.ts';

test('an order that cannot wait says so', () => {
  expect(urgencyOf({ priority: 'stat' })).toBe('STAT');
  expect(urgencyOf({ priority: 'routine' })).toBe('');
  expect(urgencyOf({})).toBe('');
});

test('an order has the period or the timing in which it is to be done', () => {
  expect(periodOf({ occurrencePeriod: { start: '2026-03-02', end: '2026-03-09' } })).toBe(
    '2 Mar 2026 – 9 Mar 2026',
  );
  expect(periodOf({ occurrencePeriod: { end: '2026-03-09' } })).toBe('until 9 Mar 2026');
  expect(periodOf({ occurrenceTiming: { code: { text: 'every morning' } } })).toBe('every morning');
  expect(periodOf({ occurrenceTiming: { repeat: { frequency: 2 } } })).toBe('repeated');
  expect(periodOf({})).toBe('');
});
