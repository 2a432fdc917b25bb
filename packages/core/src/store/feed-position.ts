import type { FeedEntry, FeedRange, Position } from './port.ts';

/**
 * How far a feed was read, as a text that JSON can carry. It is opaque. It holds the position of a version in the store
 * and the digest there, so that it is not mistaken for a position in another feed.
 */
export type FeedPosition = string & {
  /** Only for the compiler. */
  readonly '~brand': 'FeedPosition';
};

/** Before the first version. */
export const feedStart = ':' as FeedPosition;

export const feedPositionOf = ({ position, digest }: Pick<FeedEntry, 'position' | 'digest'>): FeedPosition =>
  `${position}:${digest}` as FeedPosition;

/** Where a store continues; null for a text that is not a `FeedPosition`. */
export const parseFeedPosition = (text: unknown): Pick<FeedRange, 'position' | 'digest'> | null => {
  if (text === feedStart) return {};
  const [, position, digest] = /^(.+):([\da-f]{64})$/s.exec(typeof text === 'string' ? text : '') ?? [];
  return position === undefined ? null : { position: position as Position, digest };
};
