import { expect, test } from 'vitest';
import { createTimeScale } from '../src/model/time-scale.ts';

const at = (date: string) => Date.parse(date);

test('moments have their places between the margins, in their order', () => {
  const moments = ['2026-01-01', '2026-06-30', '2026-12-31'].map(at);
  const { place } = createTimeScale(moments);
  const places = moments.map(place);
  expect(places[0]).toBeGreaterThan(0);
  expect(places[1]).toBeCloseTo(49.5, 0);
  expect(places[2]).toBeLessThan(100);
});

test.each([
  [
    ['2026-01-15', '2026-04-15'],
    ['Feb', 'Mar', 'Apr'],
  ],
  [
    ['2026-10-01', '2027-03-01'],
    ['Nov', '2027', 'Mar'],
  ],
  [
    ['2019-05-01', '2026-11-23'],
    ['2020', '2022', '2024', '2026'],
  ],
  [
    ['1961-01-01', '2026-11-23'],
    ['1960', '1980', '2000', '2020'],
  ],
])('the marks of %j are few, at the beginnings of months and years', (dates, labels) => {
  const { ticks } = createTimeScale(dates.map(at));
  expect(ticks.map(({ label }) => label)).toEqual(labels);
  for (const tick of ticks) expect(tick.at).toBeGreaterThanOrEqual(0);
});

test('a single moment has a scale, too', () => {
  const now = at('2026-11-23');
  expect(createTimeScale([now]).place(now)).toBe(50);
});
