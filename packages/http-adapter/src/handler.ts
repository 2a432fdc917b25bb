import type { ClinicalRecords, ResourceType } from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import { routeErrorOf, withAllowHeader } from './allow-header.ts';
import { type Authentication, senderOf } from './authentication.ts';
import { type HttpHandler, type HttpRequest, type HttpResponse, headerOf } from './http.ts';
import {
  type HttpError,
  httpIssues,
  insufficientScope,
  internalError,
  methodNotAllowed,
  notAcceptable,
  pathNotFound,
  twoAuthorizations,
  unauthenticated,
  untypedWrite,
} from './http-error.ts';
import { mediaTypes, negotiateMediaType } from './media-type.ts';
import { createOpenApiEndpoint } from './openapi/openapi-endpoint.ts';
import { parseBody, RequestAborted } from './parse-body.ts';
import { hasTwoAuthorizations, parsePrecondition, parsePreference } from './request-headers.ts';
import { parseResourcePath, splitUrl } from './resource-path.ts';
import { errorResponse, successResponse } from './response.ts';
import { createRoutes, type Route, type RouteResult } from './routes.ts';
import { chartLimitFor, type Principal, subjectOf } from './scopes.ts';

/** Who may do what, and where the interface lies. */
export type HttpHandlerOptions = Authentication & {
  /** Where the interface lies, such as `/fhir`, without a slash at its end; at the root, if this is empty or not given. */
  readonly basePath?: string;
  /** Where clients find it, such as `https://clinic.example/fhir`, if that is to be told whole, or a proxy moves it. */
  readonly baseUrl?: string;
  /** The largest body that is taken, in bytes; 256 KiB, if this is not given. */
  readonly bodyLimit?: number;
  /** Told of what went wrong on this side: the cause of an answer of 500 or 503, which itself says nothing of it. */
  readonly onError?: (cause: Error) => void;
};

/** HEAD is GET without the body, which the bindings leave out. */
const methodOf = ({ method }: HttpRequest) => (method === 'HEAD' ? 'GET' : method);

/** The parameters of a search, from the query string and from a form. */
const parametersOf = (query: string, form: string): readonly (readonly [string, string])[] =>
  query === '' && form === '' ? [] : [...new URLSearchParams(query), ...new URLSearchParams(form)];

/** Whether somebody may see what a write has made of a resource: it may hold more than was sent. */
const mayRead = (principal: Principal, type: ResourceType, result: RouteResult): boolean => {
  const chartLimit = chartLimitFor(principal, type, 'read');
  if (chartLimit === null || typeof result === 'string') return false;
  return chartLimit.within === undefined || chartLimit.within === result.patientId;
};

/**
 * Whether a page of another site could have had a browser send a write: one whose body has no type. With a type of JSON, the
 * browser asks first whether it may. Source: Fetch, "CORS-safelisted request-header".
 */
const isUntypedWrite = (request: HttpRequest, { bodyFormat }: Route): boolean =>
  bodyFormat === 'json' && headerOf(request, 'content-type') === undefined;

/** The options that plain JavaScript may leave out, or give as something else. */
const checkFunctions = ({ authenticate, authenticateSession, onError }: HttpHandlerOptions): void => {
  if (typeof authenticate !== 'function') {
    throw new TypeError(
      'authenticate is required: a function that returns who a bearer token stands for, or null.',
    );
  }
  for (const [name, option] of Object.entries({ authenticateSession, onError })) {
    if (option !== undefined && typeof option !== 'function') {
      throw new TypeError(`${name} must be a function.`);
    }
  }
};

/** The paths at which an interface can lie: segments as a URL has them. Source: RFC 3986, 3.3. */
const basePathPattern = /^(\/[\w.~!$&'()*+,;=:@%-]+)*$/;

const isBaseUrl = (url: string): boolean => URL.canParse(url) && /^https?:\/\/[^?#]*[^/?#]$/.test(url);

/**
 * The whole interface as one function from request to response. It opens no port and knows no framework. Throws for an
 * `authenticate` that is not a function, for a `basePath` that no request could lie under, and for a `baseUrl` that none could
 * be sent to.
 * `<basePath>/openapi.json` describes it, to anybody: the description holds nothing of a chart and needs no token.
 *
 * @example
 * const handler = createHttpHandler(records, { authenticate, basePath: '/fhir' });
 * createServer(toNodeListener(handler)).listen(3000, '127.0.0.1');
 */
export const createHttpHandler = (records: ClinicalRecords, options: HttpHandlerOptions): HttpHandler => {
  const { basePath = '', baseUrl, bodyLimit = 256 * 1024, onError = () => {} } = options;
  checkFunctions(options);
  const authentication: Authentication = { ...options };
  if (!basePathPattern.test(basePath)) {
    throw new Error('basePath is a path such as /fhir, without a slash at its end, or empty for the root.');
  }
  if (baseUrl !== undefined && !isBaseUrl(baseUrl)) {
    throw new Error('baseUrl is a URL such as https://clinic.example/fhir, without a slash at its end.');
  }
  const base = baseUrl ?? basePath;
  const allRoutes = createRoutes(records);
  const routesByType = Map.groupBy(allRoutes, ({ type }) => type);
  const openApi = createOpenApiEndpoint({ routes: allRoutes, records, basePath, base });

  /** A host's log is given a sentence, whatever was thrown. One that fails costs nobody the answer. */
  const report = async (cause: unknown): Promise<void> => {
    try {
      await onError(cause instanceof Error ? cause : new Error(httpIssues.unexpected, { cause }));
    } catch {}
  };

  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const mediaType = negotiateMediaType(headerOf(request, 'accept'));
    const refuse = (error: HttpError) => errorResponse(error, mediaType ?? mediaTypes[0]);
    try {
      const { path, query } = splitUrl(request.url);
      if (path === openApi.path) {
        return methodOf(request) === 'GET'
          ? openApi.response()
          : refuse(withAllowHeader(methodNotAllowed, [{ method: 'GET' }]));
      }
      if (hasTwoAuthorizations(request)) return refuse(twoAuthorizations);
      const sender = await senderOf(request, authentication);
      if (sender === null) return refuse(unauthenticated);
      const { principal, hasSession } = sender;

      const resourcePath = parseResourcePath(path, basePath);
      if (resourcePath === null) return refuse(pathNotFound);
      const pathRoutes =
        routesByType.get(resourcePath.type)?.filter(({ level }) => level === resourcePath.level) ?? [];
      const route = pathRoutes.find(({ method }) => method === methodOf(request));
      if (route === undefined) return refuse(withAllowHeader(methodNotAllowed, pathRoutes));
      const chartLimit = chartLimitFor(principal, route.type, route.interaction);
      if (chartLimit === null) return refuse(insufficientScope);
      if (mediaType === null) return refuse(notAcceptable);
      if (hasSession && isUntypedWrite(request, route)) return refuse(untypedWrite);
      const body = await parseBody(request, route, bodyLimit);
      if (E.isLeft(body)) return refuse(body.left);
      const precondition = parsePrecondition(request, route.interaction);
      if (E.isLeft(precondition)) return refuse(precondition.left);

      const { handling, wantsRepresentation } = parsePreference(headerOf(request, 'prefer'));
      const result = await route.run({
        id: resourcePath.id,
        parameters: parametersOf(query, body.right.form),
        body: body.right.json,
        ...chartLimit,
        handling,
        by: subjectOf(principal),
        idempotencyKey: headerOf(request, 'idempotency-key'),
        ...precondition.right,
      })();
      if (E.isLeft(result)) {
        if (result.left._tag === 'StoreFailure') report(result.left.cause);
        return refuse(routeErrorOf(result.left, route, pathRoutes));
      }
      return successResponse(result.right, {
        mediaType,
        showsRepresentation: wantsRepresentation && mayRead(principal, route.type, result.right),
        base,
        route,
      });
    } catch (cause) {
      if (cause instanceof RequestAborted) throw cause.cause;
      report(cause);
      return refuse(internalError);
    }
  };
  return Object.assign(handle, { bodyLimit });
};
