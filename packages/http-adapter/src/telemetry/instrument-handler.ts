import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { HttpHandler, HttpRequest } from '../http.ts';
import { scope, secondsHistogram, secondsSince } from './scope.ts';

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A client can make any method up. Source: OpenTelemetry, "Semantic conventions for HTTP spans". */
const methodOf = ({ method }: HttpRequest): string => (methods.has(method) ? method : '_OTHER');

/**
 * The handler with a span for each request and a histogram of their durations (`clinical_records.request.duration`,
 * seconds). Both name the method, the route and the status, and the span also the request id: nothing of a chart. The span
 * continues the trace of the active span, or of the client's `traceparent`. Register the SDK before.
 *
 * @example
 * createServer(toNodeListener(instrumentHandler(handler))).listen(3000, '127.0.0.1');
 */
export const instrumentHandler = (handler: HttpHandler): HttpHandler => {
  const tracer = trace.getTracer(...scope);
  const duration = metrics.getMeter(...scope).createHistogram('clinical_records.request.duration', {
    ...secondsHistogram,
    description: 'The duration of requests.',
  });

  const handle: (request: HttpRequest) => ReturnType<HttpHandler> = (request) => {
    const began = performance.now();
    const method = methodOf(request);
    const active = context.active();
    const isInside = trace.getSpan(active) !== undefined;
    const parent = isInside ? active : propagation.extract(active, request.headers);
    const kind = isInside ? SpanKind.INTERNAL : SpanKind.SERVER;
    return tracer.startActiveSpan(method, { kind }, parent, async (span) => {
      const known: Record<string, string | number> = { 'http.request.method': method };
      try {
        const response = await handler(request);
        const { status, route, headers } = response;
        known['http.response.status_code'] = status;
        if (route !== undefined) known['http.route'] = route;
        span.updateName(route === undefined ? method : `${method} ${route}`);
        span.setAttribute('http.response.header.x-request-id', [headers['x-request-id'] ?? '']);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        return response;
      } catch (cause) {
        // The client disconnected.
        known['error.type'] = 'aborted';
        throw cause;
      } finally {
        span.setAttributes(known);
        duration.record(secondsSince(began), known);
        span.end();
      }
    });
  };
  return Object.assign(handle, { bodyLimit: handler.bodyLimit });
};
