import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultCount, largestCount, linkedPages, startOf } from '../../src/search/paging.ts';

test('the default page is 10, the largest 100', () => {
  expect([defaultCount, largestCount]).toEqual([10, 100]);
});

test('a page starts past the offset, or past the record that the link before names', () => {
  expect(startOf({ count: 10, offset: 20, after: null })).toEqual({ offset: 20 });
  expect(startOf({ count: 10, offset: 20, after: 7 })).toEqual({ after: 7 });
});

describe('links', () => {
  const first = { count: 10, offset: 0, after: null };

  test('self, first and last always, next when there is more', () => {
    expect(linkedPages(first, { total: 25, lastPosition: 77 })).toEqual([
      ['self', first],
      ['first', first],
      ['next', { count: 10, offset: 10, after: 77 }],
      ['last', { count: 10, offset: 20, after: null }],
    ]);
    const second = { count: 10, offset: 20, after: 99 };
    expect(linkedPages(second, { total: 25, lastPosition: null })).toEqual([
      ['self', second],
      ['first', first],
      ['last', { count: 10, offset: 20, after: null }],
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
    expect(linkedPages(first, { total, lastPosition: null }).at(-1)).toEqual(['last', { ...first, offset }]);
  });

  test('of a page of none there is no other last', () => {
    const none = { count: 0, offset: 0, after: null };
    expect(linkedPages(none, { total: 25, lastPosition: null })).toEqual([
      ['self', none],
      ['first', none],
      ['last', none],
    ]);
  });

  test('the last page holds the last match, and begins where whole pages end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 1_000 }), (count, total) => {
        const [, last] =
          linkedPages({ count, offset: 0, after: null }, { total, lastPosition: null }).at(-1) ?? [];
        const offset = last?.offset ?? -1;
        expect([offset % count, offset < total, offset + count >= total]).toEqual([0, true, true]);
      }),
    );
  });
});
