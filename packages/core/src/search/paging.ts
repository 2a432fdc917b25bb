import type { Issue } from '../errors.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import type { PageStart } from '../store/query.ts';
import { type Cursor, type PageEnd, parseCursor } from './cursor.ts';
import { parameterIssue } from './issues.ts';

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

const isWholeNumber = (value: string) => /^\d+$/.test(value);

/** The issue for an `_after` that is not from a link of the search. */
export const unknownCursorIssue = parameterIssue('cursor', '_after');

/** Parses the page that is requested, from the values of each parameter, and returns all of their issues. */
export const parsePaging = (
  sent: ReadonlyMap<string, readonly string[]>,
): { readonly paging: Paging; readonly issues: readonly Issue[] } => {
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

/** Where a page begins among the stored records. */
export const toPageStart = (origin: PageOrigin): PageStart => {
  if ('offset' in origin) return origin;
  return origin.after === null ? { offset: 0 } : { after: origin.after };
};
