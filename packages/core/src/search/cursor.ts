import { isDerivedId } from '../fhir/id.ts';

/** Where a page ends. Records that are not stored yet follow the stored ones. */
export type PageEnd = {
  /** The last stored record up to there; null if there is none. */
  readonly after: string | null;
  /** The last record up to there that was not stored yet; left out if there is none. */
  readonly afterUnstored?: string;
  /** If the search sorts, the time by which the last record is sorted; null if it has none. */
  readonly key?: number | null;
};

/** Where a page begins: at the end of the page before. `total` was counted for the first page. */
export type Cursor = PageEnd & { readonly total: number };

/** Formats a cursor for a link. It is opaque, so that nobody relies on its content. */
export const formatCursor = ({ after, total, afterUnstored, key }: Cursor): string =>
  btoa(
    JSON.stringify([
      ...[after, total],
      ...(afterUnstored === undefined && key === undefined ? [] : [afterUnstored ?? null]),
      ...(key === undefined ? [] : [key]),
    ]),
  )
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

/** Parses a cursor that `formatCursor` wrote; returns null for anything else. */
export const parseCursor = (text: string): Cursor | null => {
  if (text.length > 300) return null;
  const parsed = decodeCursor(text);
  if (!Array.isArray(parsed)) return null;
  const [after, total, afterUnstored, key] = parsed;
  if (!Number.isSafeInteger(total) || total < 0) return null;
  if (!isDerivedId(after) && !(after === null && isDerivedId(afterUnstored))) return null;
  const cursor = {
    ...{ after, total },
    ...(isDerivedId(afterUnstored) && { afterUnstored }),
    ...((key === null || Number.isSafeInteger(key)) && { key }),
  };
  return formatCursor(cursor) === text ? cursor : null;
};
