import type { HttpHandler, HttpRequest } from '@clinical-records/http-adapter';
import type { Log } from '../serve/log.ts';

/** Logs each request once it has its response. */
export const logRequests = (handler: HttpHandler, log: Log): HttpHandler => {
  const handle = async (request: HttpRequest) => {
    const began = performance.now();
    const write = (status: number | null, route: string | null, requestId: string | null) =>
      log.request({
        ...{ method: request.method, route, status, requestId },
        milliseconds: Math.round((performance.now() - began) * 10) / 10,
      });
    try {
      const response = await handler(request);
      write(response.status, response.route ?? null, response.headers['x-request-id'] ?? null);
      return response;
    } catch (cause) {
      write(null, null, null);
      throw cause;
    }
  };
  return Object.assign(handle, { bodyLimit: handler.bodyLimit });
};
