import { expect, test } from 'vitest';
import { takeMatches } from '../../src/store/matches.ts';

const matches = ['a', 'b', 'c'].map((id) => ({ id, resource: `"${id}"` }));

test('a page with all matches is the last', () => {
  expect(takeMatches(matches, { count: 3 })).toEqual({ matches, hasMore: false });
  expect(takeMatches([], { count: 3 })).toEqual({ matches: [], hasMore: false });
});

test('a page reads at most one match beyond those that it shows', () => {
  let yielded = 0;
  const counted = function* () {
    for (const match of matches) {
      yielded += 1;
      yield match;
    }
  };
  expect(takeMatches(counted(), { count: 1 })).toEqual({ matches: matches.slice(0, 1), hasMore: true });
  expect(yielded).toBe(2);
});

test('a page ends by its bytes, and shows at least one match', () => {
  expect(takeMatches(matches, { count: 3, maxBytes: 6 })).toEqual({
    matches: matches.slice(0, 2),
    hasMore: true,
  });
  expect(takeMatches(matches, { count: 3, maxBytes: 5 }).matches).toHaveLength(1);
  expect(takeMatches(matches, { count: 3, maxBytes: 0 }).matches).toHaveLength(1);
  expect(takeMatches(matches.slice(0, 1), { count: 3, maxBytes: 0 }).hasMore).toBe(false);
});
