import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { linksOf } from '../../src/search/links.ts';

/** The links of a page, as `relation url`. */
const links = (
  [count, offset, after]: readonly [count: number, offset: number, after?: number],
  page: { readonly total: number; readonly lastPosition: number | null },
  used: readonly (readonly [string, string])[] = [],
) =>
  linksOf('Goal', { used, paging: { count, offset, after: after ?? null } }, page).map(
    ({ relation, url }) => `${relation} ${url}`,
  );

test('self, first and last always, next when there is more', () => {
  expect(links([10, 0], { total: 25, lastPosition: 77 })).toEqual([
    'self Goal?_count=10&_offset=0',
    'first Goal?_count=10&_offset=0',
    'next Goal?_count=10&_offset=10&_after=77',
    'last Goal?_count=10&_offset=20',
  ]);
  expect(links([10, 20, 99], { total: 25, lastPosition: null })).toEqual([
    'self Goal?_count=10&_offset=20&_after=99',
    'first Goal?_count=10&_offset=0',
    'last Goal?_count=10&_offset=20',
  ]);
});

test('each carries the parameters that had an effect, as a query string holds them', () => {
  const used = [
    ['_id', 'a,b'],
    ['patient', 'Patient/7'],
  ] as const;
  const start = 'Goal?_id=a%2Cb&patient=Patient%2F7&_count=10&_offset=0';
  expect(links([10, 0], { total: 1, lastPosition: null }, used)).toEqual([
    `self ${start}`,
    `first ${start}`,
    `last ${start}`,
  ]);
});

test.each([
  [0, 0],
  [1, 0],
  [10, 0],
  [11, 10],
  [20, 10],
  [21, 20],
])('of %i matches the last page of ten begins at %i', (total, offset) => {
  expect(links([10, 0], { total, lastPosition: null }).at(-1)).toBe(`last Goal?_count=10&_offset=${offset}`);
});

test('of a page of none there is no other last', () => {
  expect(links([0, 0], { total: 25, lastPosition: null })).toEqual(
    ['self', 'first', 'last'].map((relation) => `${relation} Goal?_count=0&_offset=0`),
  );
});

test('the last page holds the last match, and begins where whole pages end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 1_000 }), (count, total) => {
      const last = links([count, 0], { total, lastPosition: null }).at(-1);
      const offset = Number(/_offset=(\d+)$/.exec(last ?? '')?.[1] ?? -1);
      expect([offset % count, offset < total, offset + count >= total]).toEqual([0, true, true]);
    }),
  );
});
