import { type ResourceType, resourceTypes } from '@clinical-records/core';
import type { Place } from './routes.ts';

/** What a path names below the base path. */
export type Target = {
  readonly type: ResourceType;
  readonly place: Place;
  readonly id: string;
  readonly query: string;
};

const isResourceType = (type: string): type is ResourceType =>
  (resourceTypes as readonly string[]).includes(type);

const decoded = (segment: string): string | null => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};

/** Reads a path with its query string, or a whole URL; null where there is nothing at it. */
export const targetOf = (url: string, basePath: string): Target | null => {
  const local = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const end = local.search(/[?#]/);
  const path = end === -1 ? local : local.slice(0, end);
  if (!path.startsWith(`${basePath}/`)) return null;
  const [type = '', segment, ...rest] = path.slice(basePath.length + 1).split('/');
  if (!isResourceType(type) || rest.length > 0) return null;
  const query = end === -1 || local[end] === '#' ? '' : (local.slice(end + 1).split('#')[0] ?? '');
  if (segment === undefined) return { type, place: 'type', id: '', query };
  if (segment === '_search') return { type, place: 'search', id: '', query };
  const id = decoded(segment);
  return id === null || id === '' ? null : { type, place: 'instance', id, query };
};
