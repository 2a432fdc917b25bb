import { expect, test } from 'vitest';
import { utc } from '../../src/fhir/date-time.ts';
import { beginsBeforeItEnds } from '../../src/service-request/rules.ts';

test.each([
  [undefined, true],
  [{ start: '2026-05-01' }, true],
  [{ end: '2026-05-01' }, true],
  [{ start: '2026-04-01', end: '2026-05-01' }, true],
  [{ start: '2026-05-02', end: '2026-05-01' }, false],
  // The end is over with the last of the day, the month or the year that it names.
  [{ start: '2026-05-01T10:00:00Z', end: '2026-05-01' }, true],
  [{ start: '2026-05-01T10:00:00Z', end: '2026-04' }, false],
  [{ start: '2026-05-01', end: '2026' }, true],
  [{ start: '2026-05-01T10:00:00Z', end: '2026-05-01T11:30:00+02:00' }, false],
])('the end of %j is before its start: %j', (period, expected) => {
  expect(beginsBeforeItEnds(period, utc)).toBe(expected);
});
