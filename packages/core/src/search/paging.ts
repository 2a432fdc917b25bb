import type { Bundle, LinkRelation } from '../fhir/bundle.ts';
import { isDerivedId } from '../fhir/reference.ts';
import { isOneOf } from '../fhir/schema.ts';
import { parameterIssue, type SearchIssue } from './issues.ts';
import type { ParsedSearch } from './parse-search.ts';
import type { SortedEntry, SortValue } from './sort.ts';

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
  readonly cursor: PageEnd | null;
};

/** The order of a search, as its `_sort` says it, and the values by which it sorts a record. */
type SortedEnd = { readonly by: string } & Pick<SortedEntry, 'values'>;

/** Where a page ends, and the next one begins. */
export type PageEnd = {
  /** The id of the last record of the page. */
  readonly after: string;
  /** The place of the last record in the order of the search; left out if it does not sort. */
  readonly sorted?: SortedEnd;
};

/**
 * Formats a cursor for a link. It is opaque, so that nobody relies on its content. A client can write one, so it contains nothing but a
 * place: what a page says of all matches is counted again.
 */
export const formatCursor = ({ after, sorted }: PageEnd): string =>
  btoa(JSON.stringify([after, ...(sorted === undefined ? [] : [sorted.by, ...sorted.values])]))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const decodeCursor = (text: string): unknown => {
  try {
    return JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return null;
  }
};

const isSortValue = (value: unknown): value is SortValue =>
  value === null || typeof value === 'string' || Number.isSafeInteger(value);

/** The most characters of a cursor: several ids and codes of the greatest length. */
const maxCursor = 2_000;

/** Parses a cursor that `formatCursor` wrote; returns null for anything else. */
export const parseCursor = (text: string): PageEnd | null => {
  if (text.length > maxCursor) return null;
  const parsed = decodeCursor(text);
  if (!Array.isArray(parsed)) return null;
  const [after, by, ...values] = parsed;
  if (!isDerivedId(after)) return null;
  const isSorted =
    typeof by === 'string' && values.length === by.split(',').length && values.every(isSortValue);
  const end: PageEnd = { after, ...(isSorted && { sorted: { by, values } }) };
  return formatCursor(end) === text ? end : null;
};

/**
 * The page that links describe: the number of all matches, the number on the page, and the cursor of the next page, if any.
 * Without cursors, the next page is found by its offset.
 */
type LinkedPage = {
  readonly total: number;
  readonly shown: number;
  readonly next: PageEnd | 'offset' | null;
};

export const createPageLinks = (
  path: string,
  { used, paging: { count, offset, cursor } }: Pick<ParsedSearch, 'used' | 'paging'>,
  { total, shown, next }: LinkedPage,
): Bundle<never>['link'] => {
  const query = new URLSearchParams();
  for (const [name, value] of used) query.append(name, value);
  const start = used.length === 0 ? `${path}?` : `${path}?${query}&`;
  const link = (relation: LinkRelation, from: number, after: PageEnd | null = null) => ({
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

export const isPagingName = isOneOf(pagingNames);

const isWholeNumber = (value: string) => /^\d+$/.test(value);

/** The issue for an `_after` that is not from a link of the search. */
export const unknownCursorIssue = parameterIssue('cursor', '_after');

/** Parses the page that is requested, from the values of each parameter, and returns all of their issues. */
export const parsePaging = (
  sent: ReadonlyMap<string, readonly string[]>,
): { readonly paging: Paging; readonly issues: readonly SearchIssue[] } => {
  const valuesOf = (name: PagingName) => sent.get(name) ?? [];
  const numberOf = (name: PagingName, missing: number): number =>
    Math.min(Number(valuesOf(name)[0] ?? missing), Number.MAX_SAFE_INTEGER);
  const [after] = valuesOf('_after');
  const cursor = after === undefined ? null : parseCursor(after);
  return {
    paging: {
      count: Math.min(numberOf('_count', defaultCount), maxCount),
      offset: numberOf('_offset', 0),
      cursor,
    },
    issues: [
      ...pagingNames
        .filter((name) => valuesOf(name).length > 1)
        .map((name) => parameterIssue('repeated-parameter', name)),
      ...(['_count', '_offset'] as const)
        .filter((name) => !valuesOf(name).every(isWholeNumber))
        .map((name) => parameterIssue('whole-number', name)),
      ...(after !== undefined && cursor === null ? [unknownCursorIssue] : []),
    ],
  };
};

/** Where a page begins: after a number of matches, or at the end of the page before. */
export type PageOrigin = { readonly offset: number } | PageEnd;

export const pageOriginOf = ({ offset, cursor }: Paging): PageOrigin => cursor ?? { offset };
