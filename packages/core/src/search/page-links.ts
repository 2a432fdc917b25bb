import type { Bundle, LinkRelation } from '../fhir/bundle.ts';
import { type Cursor, formatCursor } from './cursor.ts';
import type { ParsedSearch } from './parse-search.ts';

/**
 * The page that links describe: the number of all matches, the number on the page, and the cursor of the next page, if any.
 * Without cursors, the next page is found by its offset.
 */
type LinkedPage = { readonly total: number; readonly shown: number; readonly next: Cursor | 'offset' | null };

export const createPageLinks = (
  path: string,
  { used, paging: { count, offset, cursor } }: Pick<ParsedSearch, 'used' | 'paging'>,
  { total, shown, next }: LinkedPage,
): Bundle<never>['link'] => {
  const query = new URLSearchParams();
  for (const [name, value] of used) query.append(name, value);
  const start = used.length === 0 ? `${path}?` : `${path}?${query}&`;
  const link = (relation: LinkRelation, from: number, after: Cursor | null = null) => ({
    relation,
    url: `${start}_count=${count}&_offset=${from}${after === null ? '' : `&_after=${formatCursor(after)}`}`,
  });
  const lastOffset = count === 0 || total === 0 ? 0 : Math.floor((total - 1) / count) * count;
  return [
    link('self', offset, cursor),
    link('first', 0),
    ...(next === null ? [] : [link('next', offset + shown, next === 'offset' ? null : next)]),
    link('last', lastOffset),
  ];
};
