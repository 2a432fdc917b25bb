import { type HttpRequest, type HttpResponse, headerOf } from './http.ts';
import type { HandleInContext, RequestTarget } from './request/request.ts';

/** Which pages of other origins may use the interface. Source: Fetch Standard, "CORS protocol". */
export type CorsOptions = {
  /** The origins, such as `https://app.example`; `*` for any. */
  readonly origins: '*' | readonly string[];
  /** Whether these pages may send the session cookie of the host. It is never allowed for any origin. */
  readonly credentials?: boolean;
};

/** Any page may read a document that needs no token. */
export const publicCorsHeaders = { 'access-control-allow-origin': '*' } as const;

/** The headers of responses that a page may read, besides those that every page may. */
const exposedHeaders = [
  'ETag',
  'Last-Modified',
  'Location',
  'Allow',
  'WWW-Authenticate',
  'X-Request-Id',
  'Retry-After',
  'Preference-Applied',
].join(', ');

/** Only rules of the host make it. */
const warningHeader = 'X-Warning-Count';

/** The headers of requests that are read here. */
const requestHeaders = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Exist',
  'If-None-Match',
  'If-Unmodified-Since',
  'Prefer',
  'X-Request-Id',
].join(', ');

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT',
  'access-control-max-age': '86400',
} as const;

/** Whether a browser asks if it may send a request. It sends no token. */
export const isPreflight = (request: HttpRequest): boolean =>
  request.method === 'OPTIONS' && headerOf(request, 'access-control-request-method') !== undefined;

/** Throws if the options are not valid. */
export const checkCors = ({ origins, credentials = false }: CorsOptions): void => {
  if (
    origins !== '*' &&
    !(Array.isArray(origins) && origins.every((origin) => URL.parse(origin)?.origin === origin))
  ) {
    throw new TypeError('cors.origins must be * or a list of origins such as https://app.example.');
  }
  if (origins === '*' && credentials) {
    throw new TypeError(
      'cors.credentials needs a list of origins: not every page may use the session of a user.',
    );
  }
};

/** The headers with which a page of an origin may read a response; none if it may not. */
const allowHeaders = (
  { origins, credentials = false }: CorsOptions,
  origin: string | undefined,
): Readonly<Record<string, string>> => {
  if (origins === '*') return publicCorsHeaders;
  return {
    vary: 'Origin',
    ...(origin !== undefined &&
      origins.includes(origin) && {
        'access-control-allow-origin': origin,
        ...(credentials && { 'access-control-allow-credentials': 'true' }),
      }),
  };
};

/**
 * The response to a preflight: whether a page may send a request, whatever the path. It may send any other header, too,
 * because FHIR clients have their own, such as `X-Medplum`.
 */
export const preflightResponse = (request: HttpRequest, options: CorsOptions): HttpResponse => {
  const requested = headerOf(request, 'access-control-request-headers');
  return {
    status: 204,
    headers: {
      ...allowHeaders(options, headerOf(request, 'origin')),
      ...preflightHeaders,
      'access-control-allow-headers':
        requested === undefined ? requestHeaders : `${requestHeaders}, ${requested}`,
    },
    body: '',
  };
};

/** Adds the headers with which a page may read a response. A public document has its own. */
export const withCorsHeaders = (
  response: HttpResponse,
  request: HttpRequest,
  options: CorsOptions,
): HttpResponse => ({
  ...response,
  headers: {
    ...(response.headers['access-control-allow-origin'] === undefined
      ? {
          ...allowHeaders(options, headerOf(request, 'origin')),
          'access-control-expose-headers':
            warningHeader.toLowerCase() in response.headers
              ? `${exposedHeaders}, ${warningHeader}`
              : exposedHeaders,
        }
      : {}),
    ...response.headers,
  },
});

/**
 * Responds to preflights, and lets the pages of allowed origins read every other response. The handler itself
 * responds to a preflight for a public document, which every page may read.
 */
export const withCors =
  (
    handle: HandleInContext,
    options: CorsOptions,
    isPublic: (target: RequestTarget) => boolean,
  ): HandleInContext =>
  async (request, context) =>
    isPreflight(request) && !isPublic(context.target)
      ? preflightResponse(request, options)
      : withCorsHeaders(await handle(request, context), request, options);
