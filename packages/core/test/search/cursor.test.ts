import { expect, test } from 'vitest';
import { formatCursor, parseCursor } from '../../src/search/paging.ts';

test.each(['a', '7.inactive', `C-${'x'.repeat(64)}.entered-in-error-${10 ** 14}`, '018f-A.b'])(
  'a cursor of %s is parsed as it was made',
  (after) => {
    for (const total of [0, 12, Number.MAX_SAFE_INTEGER]) {
      const text = formatCursor({ after, total });
      expect(text).toMatch(/^[\w-]+$/);
      expect(parseCursor(text)).toEqual({ after, total });
    }
  },
);

test.each(['7.inactive', null])(
  'a cursor of %s and a record that is not stored comes back as it was',
  (after) => {
    const cursor = { after, afterUnstored: 'x'.repeat(64), total: 3 };
    expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
  },
);

test.each([
  { after: 'a', total: 3, times: [-1] },
  { after: 'a', total: 3, times: [null] },
  { after: null, afterUnstored: 'b', total: 3, times: [null] },
  { after: 'x'.repeat(64), total: 3, times: [8.64e15, null, -8.64e15] },
])('a cursor of a sorted search comes back as it was: %j', (cursor) => {
  expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
});

const encoded = (json: unknown) => btoa(JSON.stringify(json)).replaceAll('=', '');

test.each([
  '',
  '7',
  'next',
  '%',
  encoded(null),
  encoded('a'),
  encoded({ after: 'a', total: 1 }),
  encoded([]),
  encoded(['a']),
  encoded(['a', '1']),
  encoded(['a', -1]),
  encoded(['a', 1.5]),
  encoded(['a', 2 ** 53]),
  encoded([7, 1]),
  encoded(['a/b', 1]),
  encoded(['', 1]),
  encoded(['a', 1, 2]),
  encoded(['a', 1, 'a/b']),
  encoded(['a', 1, null]),
  encoded(['a', 1, 'b', 'c']),
  encoded(['a', 1, null, 1.5]),
  encoded(['a', 1, null, '7']),
  encoded(['a', 1, null, 7, '7']),
  encoded(['a', 1, null, 7, [7]]),
  encoded([null, 1]),
  encoded([null, 1, '']),
  `${encoded(['a', 1])}=`,
  ` ${encoded(['a', 1])}`,
  encoded(['a'.repeat(100), 1]),
  'W'.repeat(10_000),
])('%j is not a cursor', (text) => {
  expect(parseCursor(text)).toBeNull();
});
