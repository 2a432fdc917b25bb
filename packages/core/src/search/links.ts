import type { Bundle, LinkRelation } from '../fhir/bundle.ts';
import type { Search } from './search.ts';

/** The links of a page of a search; `lastPosition` is that of its last record where more follow, else null. */
export const linksOf = (
  path: string,
  { used, paging: { count, offset, after } }: Pick<Search, 'used' | 'paging'>,
  { total, lastPosition }: { readonly total: number; readonly lastPosition: number | null },
): Bundle<never>['link'] => {
  const query = new URLSearchParams();
  for (const [name, value] of used) query.append(name, value);
  const start = used.length === 0 ? `${path}?` : `${path}?${query}&`;
  const link = (relation: LinkRelation, from: number, behind: number | null = null) => ({
    relation,
    url: `${start}_count=${count}&_offset=${from}${behind === null ? '' : `&_after=${behind}`}`,
  });
  const lastOffset = count === 0 || total === 0 ? 0 : Math.floor((total - 1) / count) * count;
  return [
    link('self', offset, after),
    link('first', 0),
    ...(lastPosition === null ? [] : [link('next', offset + count, lastPosition)]),
    link('last', lastOffset),
  ];
};
