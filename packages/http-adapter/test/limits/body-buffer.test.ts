import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyBuffer } from '../../src/request/body.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test('pieces are joined, and cut off one byte after the limit', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 9 });
  fc.assert(
    fc.property(pieces, fc.nat({ max: 40 }), (sent, limit) => {
      const body = createBodyBuffer(limit);
      const whole = sent.flatMap((piece) => [...piece]);
      const exceeded = sent.map((piece) => body.add(piece));
      expect([...body.bytes()]).toEqual(whole.slice(0, limit + 1));
      expect(exceeded.at(-1) ?? false).toBe(whole.length > limit);
    }),
  );
});

test('a body takes at most twice its length in memory, and is rarely moved, however short its pieces are', () => {
  const body = createBodyBuffer(1_000_000);
  const places = new Set<ArrayBufferLike>();
  for (let at = 0; at < 10_000; at += 1) {
    body.add(Uint8Array.of(at));
    places.add(body.bytes().buffer);
  }
  expect(body.bytes().buffer.byteLength).toBeLessThanOrEqual(20_000);
  expect(places.size).toBeLessThan(20);
});

test('a piece is not modified, and a single one is not copied', () => {
  const body = createBodyBuffer(100);
  const first = bytesOf('ab');
  body.add(first);
  expect(body.bytes().buffer).toBe(first.buffer);
  body.add(bytesOf('cd'));
  expect([first, body.bytes()]).toEqual([bytesOf('ab'), bytesOf('abcd')]);
});
