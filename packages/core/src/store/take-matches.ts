import type { SearchMatch, SearchPage } from './port.ts';
import type { SearchQuery } from './query.ts';

const encoder = new TextEncoder();

const bytesOf = (text: string): number => encoder.encode(text).length;

/** The most bytes that UTF-8 needs for one UTF-16 code unit. */
const maxBytesPerUnit = 3;

/**
 * The first page of some matches, in their order. It takes only as many matches as it needs to know whether more
 * follow.
 */
export const takeMatches = <Match extends Pick<SearchMatch, 'resource'>>(
  matches: Iterable<Match>,
  { count, maxBytes = Number.POSITIVE_INFINITY }: Pick<SearchQuery, 'count' | 'maxBytes'>,
): Pick<SearchPage, 'hasMore'> & {
  /** The matches of the page. */
  readonly matches: readonly Match[];
} => {
  const page: Match[] = [];
  let units = 0;
  let measured = 0;
  let bytes = 0;
  // Most pages are so small that nothing needs to be measured. In other pages each resource is measured once.
  const isFull = (): boolean => {
    if (units * maxBytesPerUnit <= maxBytes) return false;
    for (const { resource } of page.slice(measured)) bytes += bytesOf(resource);
    measured = page.length;
    return bytes > maxBytes;
  };
  for (const match of matches) {
    if (page.length === count) return { matches: page, hasMore: true };
    page.push(match);
    units += match.resource.length;
    if (page.length > 1 && isFull()) return { matches: page.slice(0, -1), hasMore: true };
  }
  return { matches: page, hasMore: false };
};
