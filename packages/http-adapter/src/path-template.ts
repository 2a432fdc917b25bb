import { parseResourcePath, splitUrl } from './resource-path.ts';
import type { RouteTable } from './route-table.ts';
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

/** Creates the function that finds the template of a URL; undefined if nothing is served there. */
export const createTemplateAt =
  (basePath: string, routes: RouteTable, documents: ReadonlyMap<string, unknown>) =>
  (url: string): string | undefined => {
    const { path } = splitUrl(url);
    if (documents.has(path)) return path;
    const resourcePath = parseResourcePath(path, basePath);
    const [route] = resourcePath === null ? [] : routes.at(resourcePath);
    return route === undefined ? undefined : basePath + pathTemplateOf(route);
  };
