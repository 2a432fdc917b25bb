import type { Match, Page } from './port.ts';
import type { Query } from './query.ts';

const encoder = new TextEncoder();

const bytesOf = (text: string): number => encoder.encode(text).length;

/** The page that some matches begin with, in their order. It takes no more of them than show whether others follow. */
export const pageOf = (
  matches: Iterable<Match>,
  { count, maxBytes = Number.POSITIVE_INFINITY }: Pick<Query, 'count' | 'maxBytes'>,
): Omit<Page, 'total'> => {
  const page: Match[] = [];
  let room = maxBytes;
  for (const match of matches) {
    room -= bytesOf(match.resource);
    if (page.length === count || (room < 0 && page.length > 0)) return { matches: page, hasMore: true };
    page.push(match);
  }
  return { matches: page, hasMore: false };
};
