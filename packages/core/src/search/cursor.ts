import { idPattern } from '../fhir/reference.ts';

/** Where a page begins: after the last record of the page before. `total` was counted for the first page. */
export type Cursor = { readonly after: string; readonly total: number };

/** Formats a cursor for a link. It is opaque, so that nobody relies on its content. */
export const formatCursor = ({ after, total }: Cursor): string =>
  btoa(JSON.stringify([after, total]))
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
  if (text.length > 200) return null;
  const parsed = decodeCursor(text);
  if (!Array.isArray(parsed)) return null;
  const [after, total] = parsed;
  if (typeof after !== 'string' || !idPattern.test(after) || !Number.isSafeInteger(total) || total < 0)
    return null;
  return formatCursor({ after, total }) === text ? { after, total } : null;
};
