import { expect, test } from 'vitest';
import { defaultCount, maxCount, pageOriginOf } from '../../src/search/paging.ts';

test('the default page size is 10, and the largest is 100', () => {
  expect([defaultCount, maxCount]).toEqual([10, 100]);
});

test('a page begins after the offset, or after the record that the previous link names', () => {
  const cursor = { after: 'g-7', total: 30 };
  expect(pageOriginOf({ count: 10, offset: 20, cursor: null })).toEqual({ offset: 20 });
  expect(pageOriginOf({ count: 10, offset: 20, cursor })).toEqual(cursor);
});
