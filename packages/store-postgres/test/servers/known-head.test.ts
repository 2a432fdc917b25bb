import { expect, test } from 'vitest';
import { createKnownHead } from '../../src/write/feed-head.ts';

const headAt = (position: number, digest = 'of this copy') => ({ position, digest, fence: 0 });

test('a store appends without reading the end again once it has written to an older copy of the database', () => {
  const known = createKnownHead();
  known.onWritten(headAt(9, 'lost'));
  expect(known.onRead({ ...headAt(3), has_last: false })).toBe(false);
  known.onWritten(headAt(4));
  expect(known.expected()).toEqual(headAt(4));
});

test('a store reads the end each time while others move it, until it is where the store has left it', () => {
  const known = createKnownHead();
  known.onWritten(headAt(1));
  expect(known.onRead({ ...headAt(2), has_last: true })).toBe(true);
  known.onWritten(headAt(3));
  expect(known.expected()).toBeNull();
  known.onRead({ ...headAt(3), has_last: true });
  expect(known.expected()).toEqual(headAt(3));
});
