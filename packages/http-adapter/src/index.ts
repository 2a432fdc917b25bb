/**
 * The interface over HTTP.
 *
 * @module @clinical-records/http-adapter
 */

export { toFetch } from './fetch.ts';
export { createHttpHandler, type HttpHandlerOptions } from './handler.ts';
export type { HttpHandler, HttpRequest, HttpResponse } from './http.ts';
export { type ConnectionLimits, limitConnections } from './limit-connections.ts';
export { toNodeListener } from './node.ts';
export { isScope, type Principal } from './scopes.ts';
