import type { PageStart } from '../store/query.ts';
import type { Cursor } from './cursor.ts';

export const defaultCount = 10;
export const maxCount = 100;

/**
 * The most bytes that the resources of a page have together, unless one is larger by itself: several of the largest bodies, and
 * few enough that many clients can be sent a page at once.
 */
export const maxPageBytes = 1024 * 1024;

/** The parameters that say which page of a search is asked for. */
export const pagingNames = ['_count', '_offset', '_after'] as const;

export type PagingName = (typeof pagingNames)[number];

/** Which page of a search is asked for. */
export type Paging = {
  readonly count: number;
  /** How many matches lie before the page; in a `next` link merely counted on, since the cursor says where the page begins. */
  readonly offset: number;
  /** What `_after` says: it names the last record of the page before, so that no write in between makes a page repeat or skip one. */
  readonly cursor: Cursor | null;
};

export const toPageStart = ({ offset, cursor }: Paging): PageStart =>
  cursor === null ? { offset } : { after: cursor.after };
