import { expect, test } from 'vitest';
import { defaultCount, maxCount, toPageStart } from '../../src/search/paging.ts';

test('the default page is 10, the largest 100', () => {
  expect([defaultCount, maxCount]).toEqual([10, 100]);
});

test('a page starts past the offset, or past the record that the link before names', () => {
  expect(toPageStart({ count: 10, offset: 20, cursor: null })).toEqual({ offset: 20 });
  expect(toPageStart({ count: 10, offset: 20, cursor: { after: 'g-7', total: 30 } })).toEqual({
    after: 'g-7',
  });
});
