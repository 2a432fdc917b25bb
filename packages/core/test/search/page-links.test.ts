import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPageLinks, formatCursor, type PageEnd } from '../../src/search/paging.ts';

/** The links of a page, as `relation url`. */
const links = (
  [count, offset, cursor]: readonly [count: number, offset: number, cursor?: PageEnd],
  page: { readonly total: number; readonly shown?: number; readonly next?: PageEnd },
  used: readonly (readonly [string, string])[] = [],
) =>
  createPageLinks(
    'Goal',
    { used, paging: { count, offset, cursor: cursor ?? null } },
    { shown: count, next: null, ...page },
  ).map(({ relation, url }) => `${relation} ${url}`);

const next = { after: 'g-10' };

test('self, first and last are always there, and next if there is more', () => {
  expect(links([10, 0], { total: 25, next })).toEqual([
    'self Goal?_count=10&_offset=0',
    'first Goal?_count=10&_offset=0',
    `next Goal?_count=10&_offset=10&_after=${formatCursor(next)}`,
    'last Goal?_count=10&_offset=20',
  ]);
  expect(links([10, 20, next], { total: 25 })).toEqual([
    `self Goal?_count=10&_offset=20&_after=${formatCursor(next)}`,
    'first Goal?_count=10&_offset=0',
    'last Goal?_count=10&_offset=20',
  ]);
});

test('after a page with fewer matches than requested, the next page begins where it ends', () => {
  expect(links([10, 20, next], { total: 25, shown: 3, next })[2]).toContain('&_offset=23&');
});

test('each link contains the effective parameters as a query string', () => {
  const used = [
    ['_id', 'a,b'],
    ['patient', 'Patient/7'],
  ] as const;
  const start = 'Goal?_id=a%2Cb&patient=Patient%2F7&_count=10&_offset=0';
  expect(links([10, 0], { total: 1 }, used)).toEqual([`self ${start}`, `first ${start}`, `last ${start}`]);
});

test.each([
  [0, 0],
  [1, 0],
  [10, 0],
  [11, 10],
  [20, 10],
  [21, 20],
])('with %i matches and pages of ten, the last page begins at %i', (total, offset) => {
  expect(links([10, 0], { total }).at(-1)).toBe(`last Goal?_count=10&_offset=${offset}`);
});

test('a page size of zero has no other last page', () => {
  expect(links([0, 0], { total: 25 })).toEqual(
    ['self', 'first', 'last'].map((relation) => `${relation} Goal?_count=0&_offset=0`),
  );
});

test('the last page contains the last match, and begins at a multiple of the page size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 1_000 }), (count, total) => {
      const last = links([count, 0], { total }).at(-1);
      const offset = Number(/_offset=(\d+)$/.exec(last ?? '')?.[1] ?? -1);
      expect([offset % count, offset < total, offset + count >= total]).toEqual([0, true, true]);
    }),
  );
});
