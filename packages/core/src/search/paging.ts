import type { LinkRelation } from '../fhir/bundle.ts';
import type { PageStart } from '../store/query.ts';

export const defaultCount = 10;
export const largestCount = 100;

/** Which page of a search is asked for. */
export type Paging = {
  readonly count: number;
  /** How many matches lie before the page; in a `next` link merely counted on, since `after` says where the page begins. */
  readonly offset: number;
  /** The position of the last record of the page before, so that no write in between makes a page repeat or skip one. */
  readonly after: number | null;
};

export const startOf = ({ offset, after }: Paging): PageStart => (after === null ? { offset } : { after });

/** The paging of each link of a page; `lastPosition` is that of its last record where more follow, else null. */
export const linkedPages = (
  paging: Paging,
  { total, lastPosition }: { readonly total: number; readonly lastPosition: number | null },
): readonly (readonly [LinkRelation, Paging])[] => {
  const { count, offset } = paging;
  const lastOffset = count === 0 || total === 0 ? 0 : Math.floor((total - 1) / count) * count;
  return [
    ['self', paging],
    ['first', { count, offset: 0, after: null }],
    ...(lastPosition === null
      ? []
      : [['next', { count, offset: offset + count, after: lastPosition }] as const]),
    ['last', { count, offset: lastOffset, after: null }],
  ];
};
