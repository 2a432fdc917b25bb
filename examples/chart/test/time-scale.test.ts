import { expect, test } from 'vitest';
import { createTimeScale } from '../src/model/dates/time-scale.ts';

const at = (date: string) => Date.parse(date);

test('moments have their places between the margins, in their order', () => {
  const moments = ['2026-01-01', '2026-06-30', '2026-12-31'].map(at);
  const { place } = createTimeScale(moments, at('2026-12-31'));
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
  const { ticks } = createTimeScale(dates.map(at), at(dates[1] ?? ''));
  expect(ticks.map(({ label }) => label)).toEqual(labels);
  for (const tick of ticks) expect(tick.at).toBeGreaterThanOrEqual(0);
});

test('a single moment has a scale, too', () => {
  const now = at('2026-11-23');
  expect(createTimeScale([now], now).place(now)).toBe(50);
});

test('a few moments long before all others do not squeeze the line: they are at its edge', () => {
  const now = at('2026-11-23');
  const recent = ['2021-01-01', '2022-01-01', '2023-01-01', '2024-01-01'].map(at);
  const early = at('1950-01-01');
  const { place, isEarlier, ticks } = createTimeScale([early, ...recent], now);
  expect([isEarlier(early), place(early)]).toEqual([true, 0]);
  expect(recent.some(isEarlier)).toBe(false);
  expect(ticks.map(({ label }) => label)).toEqual(['2022', '2024', '2026']);
  // Two of six are too many, and a moment that leaves the others enough room stays.
  expect(createTimeScale([early, at('1951-01-01'), ...recent.slice(1)], now).isEarlier(early)).toBe(false);
  expect(createTimeScale([at('2012-01-01'), ...recent], now).isEarlier(at('2012-01-01'))).toBe(false);
});

test('no moment after today is left out', () => {
  const [now, due] = [at('2026-11-23'), at('2028-11-23')];
  const { place } = createTimeScale([...['2026-09-01', '2026-10-01', '2026-11-01'].map(at), due], now);
  expect(place(due)).toBeLessThan(100);
});
