import { expect, test } from 'vitest';
import { formatCursor, parseCursor } from '../../src/search/paging.ts';

test.each(['a', '7.inactive', `C-${'x'.repeat(64)}.entered-in-error-${10 ** 14}`, '018f-A.b'])(
  'a cursor of %s is parsed as it was made',
  (after) => {
    const text = formatCursor({ after });
    expect(text).toMatch(/^[\w-]+$/);
    expect(parseCursor(text)).toEqual({ after });
  },
);

test.each([
  { after: 'a', sorted: { by: 'date', values: [-1] } },
  { after: 'a', sorted: { by: '-_lastUpdated', values: [null] } },
  { after: 'x', sorted: { by: '_id,-status', values: ['x'.repeat(81), 'entered-in-error'] } },
  {
    after: 'x'.repeat(64),
    sorted: { by: '-occurrence,authored,_lastUpdated', values: [8.64e15, null, -8.64e15] },
  },
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
  encoded({ after: 'a' }),
  encoded([]),
  encoded([7]),
  encoded(['a/b']),
  encoded(['']),
  // No total: a client could write any.
  encoded(['a', 2]),
  encoded(['a', 'a/b']),
  encoded(['a', null]),
  encoded(['a', 'date']),
  encoded(['a', 'date', 1.5]),
  encoded(['a', 'date', [7]]),
  encoded(['a', 'date', true]),
  encoded(['a', 'date', 7, 7]),
  encoded(['a', 'date,_lastUpdated', 7]),
  encoded(['a', 7, 7]),
  encoded(['a', null, 'date', 7]),
  encoded([null]),
  encoded([null, '']),
  `${encoded(['a'])}=`,
  ` ${encoded(['a'])}`,
  encoded(['a'.repeat(100)]),
  'W'.repeat(10_000),
])('%j is not a cursor', (text) => {
  expect(parseCursor(text)).toBeNull();
});
