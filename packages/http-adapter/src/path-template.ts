import type { RequestTarget } from './request-target.ts';
import type { PathLevel, Route } from './routes.ts';

const suffixes = {
  type: '',
  instance: '/{id}',
  search: '/_search',
  everything: '/{id}/$everything',
  history: '/{id}/_history',
  version: '/{id}/_history/{version}',
} as const satisfies Record<PathLevel, string>;

/** The path of a route below the base path, in the template form of OpenAPI. */
export const pathTemplateOf = ({ type, level }: Pick<Route, 'type' | 'level'>): string =>
  `/${type}${suffixes[level]}`;

/** Creates the function that finds the template of a target; undefined if nothing is served there. */
export const createTemplateAt =
  (basePath: string, documents: ReadonlyMap<string, unknown>) =>
  ({ path, pathRoutes, exportPath, isEventStream }: RequestTarget): string | undefined => {
    if (exportPath !== null) return basePath + exportPath.template;
    const route = pathRoutes[0];
    if (route !== undefined) return basePath + pathTemplateOf(route);
    return isEventStream || documents.has(path) ? path : undefined;
  };
