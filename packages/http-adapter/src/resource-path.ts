import type { PathLevel } from './routes.ts';

/** The parts of a path below the base path. */
export type ResourcePath = {
  readonly type: string;
  readonly level: PathLevel;
  readonly id: string;
  readonly version: number;
};

const decodeSegment = (segment: string): string | null => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};

/** The path and the query string of a URL, which may have an origin. */
export const splitUrl = (url: string): { readonly path: string; readonly query: string } => {
  const local = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const [beforeFragment = ''] = local.includes('#') ? local.split('#') : [local];
  const end = beforeFragment.indexOf('?');
  return end === -1
    ? { path: beforeFragment, query: '' }
    : { path: beforeFragment.slice(0, end), query: beforeFragment.slice(end + 1) };
};

/** The parts of a path below an id: the history, or a version in it. Source: FHIR R4, RESTful API, 3.1.0.3. */
const pastPattern = /^_history(?:\/([1-9]\d{0,14}))?$/;

/** The form of a type's name, such as `Goal`. */
const typePattern = /^[A-Z][A-Za-z]*$/;

/** Parses a path; returns null if there is nothing at it, whatever types are served. */
export const parseResourcePath = (path: string, basePath: string): ResourcePath | null => {
  const start = basePath.length + 1;
  if (!path.startsWith(basePath) || path[start - 1] !== '/') return null;
  const slash = path.indexOf('/', start);
  const type = path.slice(start, slash === -1 ? undefined : slash);
  if (!typePattern.test(type)) return null;
  if (slash === -1) return { type, level: 'type', id: '', version: 0 };
  const end = path.indexOf('/', slash + 1);
  const segment = path.slice(slash + 1, end === -1 ? undefined : end);
  if (segment === '_search' && end === -1) return { type, level: 'search', id: '', version: 0 };
  const id = decodeSegment(segment);
  if (id === null || id === '') return null;
  if (end === -1) return { type, level: 'instance', id, version: 0 };
  const below = path.slice(end + 1);
  if (decodeSegment(below) === '$everything') return { type, level: 'everything', id, version: 0 };
  const past = pastPattern.exec(below);
  if (past === null) return null;
  const [, version] = past;
  return version === undefined
    ? { type, level: 'history', id, version: 0 }
    : { type, level: 'version', id, version: Number(version) };
};
