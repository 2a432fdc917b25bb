import { type ExportPath, parseExportPath } from './bulk-export/export-path.ts';
import { parseResourcePath, type ResourcePath, splitUrl } from './resource-path.ts';
import type { RouteTable } from './route-table.ts';
import type { Route } from './routes.ts';

/** The target of a request: the parts of its URL, and the routes at its path. */
export type RequestTarget = {
  readonly path: string;
  readonly query: string;
  /** The parts of the path; null if nothing can be at it, whatever types are served. */
  readonly resourcePath: ResourcePath | null;
  /** The routes at the path, one for each method; empty if there are none. */
  readonly pathRoutes: readonly Route[];
  /** The parts of a path of `$export`; null for any other path, or if it is not served. */
  readonly exportPath: ExportPath | null;
  /** Whether it is the stream of events, which is served. */
  readonly isEventStream: boolean;
};

/** The parts of the interface that a host can leave out. */
type OptionalParts = { readonly hasBulkExport: boolean; readonly hasEvents: boolean };

/** Creates the function that finds the target of a URL. */
export const createFindTarget =
  (basePath: string, routes: RouteTable, { hasBulkExport, hasEvents }: OptionalParts) =>
  (url: string): RequestTarget => {
    const { path, query } = splitUrl(url);
    const resourcePath = parseResourcePath(path, basePath);
    const pathRoutes = resourcePath === null ? [] : routes.at(resourcePath);
    const exportPath = hasBulkExport ? parseExportPath(path, basePath) : null;
    const isEventStream = hasEvents && path === `${basePath}/events`;
    return { path, query, resourcePath, pathRoutes, exportPath, isEventStream };
  };
