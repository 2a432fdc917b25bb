import { expect, test } from 'vitest';
import { pageOf } from '../../src/store/page-of.ts';

const matches = ['a', 'b', 'c'].map((id) => ({ id, resource: `"${id}"` }));

test('a page of all is the last', () => {
  expect(pageOf(matches, { count: 3 })).toEqual({ matches, hasMore: false });
  expect(pageOf([], { count: 3 })).toEqual({ matches: [], hasMore: false });
});

test('a page takes no more than one match beyond those that it shows', () => {
  let taken = 0;
  const counted = function* () {
    for (const match of matches) {
      taken += 1;
      yield match;
    }
  };
  expect(pageOf(counted(), { count: 1 })).toEqual({ matches: matches.slice(0, 1), hasMore: true });
  expect(taken).toBe(2);
});

test('a page ends by its bytes, and shows one match even so', () => {
  expect(pageOf(matches, { count: 3, maxBytes: 6 })).toEqual({ matches: matches.slice(0, 2), hasMore: true });
  expect(pageOf(matches, { count: 3, maxBytes: 5 }).matches).toHaveLength(1);
  expect(pageOf(matches, { count: 3, maxBytes: 0 }).matches).toHaveLength(1);
  expect(pageOf(matches.slice(0, 1), { count: 3, maxBytes: 0 }).hasMore).toBe(false);
});
