import { expect, test } from 'vitest';
import { findNewerReleases } from '../runtime/find-newer-releases.ts';

const releases = {
  created: '2015-01-01T00:00:00Z',
  '24.9.0': '2026-01-01T00:00:00Z',
  '24.21.0': '2026-03-01T00:00:00Z',
  '24.21.1': '2026-03-08T12:00:00Z',
  '24.22.0-rc.1': '2026-03-09T00:00:00Z',
  '26.1.0': '2026-03-01T00:00:00Z',
};
const now = new Date('2026-03-11T00:00:00Z');

test('newer releases belong to the same line, and are compared by number and not as texts', () => {
  expect(findNewerReleases('24.9.0', releases, now)).toEqual([
    { version: '24.21.1', days: 2 },
    { version: '24.21.0', days: 10 },
  ]);
});

test('the newest release of a line has no newer one', () => {
  expect(findNewerReleases('24.21.1', releases, now)).toEqual([]);
  expect(findNewerReleases('26.1.0', releases, now)).toEqual([]);
});
