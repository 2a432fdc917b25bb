import type { PageStart } from '../store/query.ts';

export const defaultCount = 10;
export const largestCount = 100;

/** The parameters that say which page of a search is asked for. */
export const pagingNames = ['_count', '_offset', '_after'] as const;

export type PagingName = (typeof pagingNames)[number];

/** Which page of a search is asked for. */
export type Paging = {
  readonly count: number;
  /** How many matches lie before the page; in a `next` link merely counted on, since `after` says where the page begins. */
  readonly offset: number;
  /** The position of the last record of the page before, so that no write in between makes a page repeat or skip one. */
  readonly after: number | null;
};

export const startOf = ({ offset, after }: Paging): PageStart => (after === null ? { offset } : { after });
