import type { HttpRequest } from './http.ts';
import type { ResourcePath } from './resource-path.ts';
import type { Route } from './routes.ts';

/** Finds the routes of the interface. */
export type RouteTable = {
  /** The routes at a path, one for each method; empty if there is nothing at it. */
  readonly at: (path: ResourcePath) => readonly Route[];
};

export const createRouteTable = (routes: readonly Route[]): RouteTable => {
  const byType = new Map(
    Array.from(
      Map.groupBy(routes, ({ type }) => type),
      ([type, ofType]) => [type, Map.groupBy(ofType, ({ level }) => level)],
    ),
  );
  return { at: ({ type, level }) => byType.get(type)?.get(level) ?? [] };
};

/** HEAD is GET without a body. The bindings leave the body out. */
export const methodOf = ({ method }: HttpRequest) => (method === 'HEAD' ? 'GET' : method);

/** The route of a request, among those at its path. */
export const routeFor = (request: HttpRequest, pathRoutes: readonly Route[]): Route | undefined =>
  pathRoutes.find(({ method }) => method === methodOf(request));
