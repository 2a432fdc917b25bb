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

/** Creates the function that finds the template of a target; undefined if nothing is served there. A fixed path is its own. */
export const createTemplateAt =
  (basePath: string, fixedPaths: readonly string[]) =>
  ({ path, pathRoutes, exportPath }: RequestTarget): string | undefined => {
    if (exportPath !== null) return basePath + exportPath.template;
    const route = pathRoutes[0];
    if (route !== undefined) return basePath + pathTemplateOf(route);
    return fixedPaths.includes(path) ? path : undefined;
  };
