import { expect, test } from 'vitest';
import type { Position } from '../../src/store/port.ts';
import { feedPositionOf, feedStart, parseFeedPosition } from '../../src/store/versions.ts';

const digest = '0123456789abcdef'.repeat(4);

test.each(['17', 'a:b', ':', ' ', '{"shard":3,"at":"é\n"}'])(
  'the position %j of a store is parsed as it was made',
  (text) => {
    const position = text as Position;
    expect(parseFeedPosition(feedPositionOf({ position, digest }))).toEqual({ position, digest });
  },
);

test('the start of a feed is before its first version', () => {
  expect(parseFeedPosition(feedStart)).toEqual({});
});

test.each([
  '',
  '17',
  '17:',
  `:${digest}`,
  `17:${digest}0`,
  `17:${digest.toUpperCase()}`,
  `17:${digest} `,
  null,
  17,
])('%j is not a feed position', (text) => {
  expect(parseFeedPosition(text)).toBeNull();
});
