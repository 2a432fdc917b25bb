import { expect, test } from 'vitest';
import { createUuid } from '../../src/options.ts';

test('a new id is a UUID of version 7 and of the variant of RFC 9562', () => {
  expect(createUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a new id begins with the milliseconds since 1970', () => {
  const before = Date.now();
  const time = Number.parseInt(createUuid().replace('-', '').slice(0, 12), 16);
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});

test('no two of many new ids are the same', () => {
  const ids = Array.from({ length: 10_000 }, createUuid);
  expect(new Set(ids).size).toBe(ids.length);
});
