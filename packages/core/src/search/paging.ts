import type { PageStart } from '../store/query.ts';
import type { Cursor, PageEnd } from './cursor.ts';

export const defaultCount = 10;
export const maxCount = 100;

/**
 * The most bytes of all resources of a page, unless a single resource is larger. Several of the largest bodies fit, and
 * many clients can be sent a page at once.
 */
export const maxPageBytes = 1024 * 1024;

/** The parameters that select a page of a search. */
export const pagingNames = ['_count', '_offset', '_after'] as const;

export type PagingName = (typeof pagingNames)[number];

/** The requested page of a search. */
export type Paging = {
  readonly count: number;
  /**
   * How many matches are before the page. In a `next` link it is only counted, because the cursor says where the page
   * begins.
   */
  readonly offset: number;
  /**
   * The value of `_after`. It names the last record of the page before, so that no write makes a page repeat or skip a
   * record.
   */
  readonly cursor: Cursor | null;
};

/** Where a page begins: after a number of matches, or at the end of the page before. */
export type PageOrigin = { readonly offset: number } | PageEnd;

export const pageOriginOf = ({ offset, cursor }: Paging): PageOrigin => cursor ?? { offset };

/** Where a page begins among the stored records. */
export const toPageStart = (origin: PageOrigin): PageStart => {
  if ('offset' in origin) return origin;
  return origin.after === null ? { offset: 0 } : { after: origin.after };
};
