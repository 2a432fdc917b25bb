import type { ClinicalRecords } from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import { routeErrorOf, withAllowHeader } from './allow-header.ts';
import { createAuditRoute } from './audit-route.ts';
import { type Authentication, AuthenticationUnavailable, senderOf } from './authentication.ts';
import { createChartLimits } from './authorize/chart-limits.ts';
import { mayRead } from './authorize/may-read.ts';
import { createBulkExport } from './bulk-export/bulk-export.ts';
import { type CorsOptions, isPreflight, preflightResponse, withCorsHeaders } from './cors.ts';
import { createOpenEvents, patientIn } from './events/events.ts';
import { checkHandlerOptions, type ErrorContext, type HttpHandlerOptions } from './handler-options.ts';
import { type HttpHandler, type HttpRequest, type HttpResponse, headerOf } from './http.ts';
import {
  authenticationUnavailable,
  type HttpError,
  httpErrorOf,
  httpIssues,
  insufficientScope,
  internalError,
  methodNotAllowed,
  notAcceptable,
  pathNotFound,
  tooManyInFlight,
  twoAuthorizations,
  unauthenticated,
  untypedWrite,
} from './http-error.ts';
import { limitInFlight } from './limit-in-flight.ts';
import { mediaTypes, negotiateMediaType, requestedFormat } from './media-type.ts';
import { parseBody, RequestAborted } from './parse-body.ts';
import { createTemplateAt } from './path-template.ts';
import { createPublicDocuments } from './public-documents.ts';
import { createReferencedResources } from './referenced-resources.ts';
import { accessOf, writtenBy } from './request-access.ts';
import { createRequestContext, type RequestContext } from './request-context.ts';
import { hasTwoAuthorizations, hasVersion, parsePrecondition, parsePreference } from './request-headers.ts';
import { requestIdOf, withRequestId } from './request-id.ts';
import { parseResourcePath, splitUrl } from './resource-path.ts';
import { errorResponse, successResponse } from './response.ts';
import { createRouteTable, methodOf, routeFor } from './route-table.ts';
import { createRoutes, type Route, type RouteResult } from './routes.ts';
import { subjectOf } from './scopes.ts';

/** The parameters of a search, from the query string and from a form. `_format` is for the response as a whole. */
const parametersOf = (query: string, form: string): readonly (readonly [string, string])[] =>
  query === '' && form === ''
    ? []
    : [...new URLSearchParams(query), ...new URLSearchParams(form)].filter(([name]) => name !== '_format');

/**
 * Whether a page of another site could have made a browser send a write. It can if the body has no type. For JSON, the
 * browser first asks for permission. Source: Fetch, "CORS-safelisted request-header".
 */
const isUntypedWrite = (request: HttpRequest, { bodyFormat }: Route): boolean =>
  bodyFormat === 'json' && headerOf(request, 'content-type') === undefined;

/** Whether the client has the version that is read. A bundle has no version. */
const isKnown = (request: HttpRequest, result: RouteResult): boolean =>
  typeof result !== 'string' && hasVersion(request, result.version);

const errorContextOf = (request: HttpRequest, { requestId, principal }: RequestContext): ErrorContext => ({
  request,
  requestId,
  principal,
});

/**
 * Creates the whole interface as one function from request to response. It does not open a port or depend on a
 * framework. `<basePath>/metadata` and `<basePath>/openapi.json` describe it to everybody: they have no data of a chart
 * and need no token.
 *
 * Throws if `authenticate` is not a function, `basePath` is not a valid path, `baseUrl` is not a valid URL, or `cors`,
 * `hostResources`, `capabilities`, `defaultReturn` or `maxInFlight` is not valid.
 *
 * @example
 * const handler = createHttpHandler(records, { authenticate, basePath: '/fhir' });
 * createServer(toNodeListener(handler)).listen(3000, '127.0.0.1');
 */
export const createHttpHandler = (records: ClinicalRecords, options: HttpHandlerOptions): HttpHandler => {
  const { basePath = '', baseUrl, bodyLimit = 256 * 1024, onError = () => {} } = options;
  const { cors, smartConfiguration, hostResources, auditLog, authorize, maxInFlight, bulkExport } = options;
  const { capabilities = {}, defaultReturn = 'minimal' } = options;
  checkHandlerOptions(options);
  if (auditLog !== undefined && records.access === null) {
    throw new TypeError('auditLog needs records with onAccess: a reading of the log is an event, too.');
  }
  const authentication: Authentication = { ...options };
  const beginRequest = limitInFlight(maxInFlight);
  const base = baseUrl ?? basePath;
  const { report: reportAccess, unreported } = records.access ?? { report: null, unreported: records };
  const allRoutes = [
    ...createRoutes(unreported, createReferencedResources(unreported, hostResources), hostResources),
    ...(auditLog === undefined ? [] : [createAuditRoute(auditLog)]),
  ];
  const { exporter } = unreported;
  const respondToExport =
    bulkExport && createBulkExport(bulkExport, { exporter, base, basePath, bodyLimit, authorize });
  const routes = createRouteTable(allRoutes);
  const openEvents = options.events === undefined ? null : createOpenEvents(unreported, options.events);
  const documents = createPublicDocuments({
    ...{ routes: allRoutes, records, basePath, baseUrl, smartConfiguration, capabilities, defaultReturn },
    hasCors: cors !== undefined,
    isLimitedInFlight: maxInFlight !== undefined,
    hasBulkExport: bulkExport !== undefined,
  });
  const templateAt = createTemplateAt(basePath, routes, documents);

  /**
   * The host's log gets an Error with a message, whatever was thrown. A failing `onError` does not change the response.
   */
  const report = async (cause: unknown, context: ErrorContext): Promise<void> => {
    try {
      await onError(
        cause instanceof Error ? cause : new Error(httpIssues['internal-error'], { cause }),
        context,
      );
    } catch {}
  };

  const handle = async (request: HttpRequest, context: RequestContext): Promise<HttpResponse> => {
    const { path, query } = splitUrl(request.url);
    const mediaType = negotiateMediaType(headerOf(request, 'accept'), query);
    const refuse = (error: HttpError) => {
      context.error = error;
      return errorResponse(error, mediaType ?? mediaTypes[0]);
    };
    const reportCause = (cause: unknown) => report(cause, errorContextOf(request, context));
    let endRequest: (() => void) | null = null;
    try {
      const document = documents.get(path);
      if (document !== undefined) {
        context.isPublic = true;
        if (isPreflight(request)) return preflightResponse(request, { origins: '*' });
        if (methodOf(request) !== 'GET')
          return refuse(withAllowHeader(methodNotAllowed, [{ method: 'GET' }]));
        return document(mediaType ?? mediaTypes[0]);
      }
      if (hasTwoAuthorizations(request)) return refuse(twoAuthorizations);
      const sender = await senderOf(request, authentication);
      if (sender === null) return refuse(unauthenticated);
      const { hasSession, principal } = sender;
      context.principal = principal;
      endRequest = beginRequest(principal);
      if (endRequest === null) return refuse(tooManyInFlight);

      if (openEvents !== null && path === `${basePath}/events`) {
        if (request.method !== 'GET') return refuse({ ...methodNotAllowed, headers: { allow: 'GET' } });
        const events = await openEvents(
          query,
          createChartLimits({ principal, request }, authorize),
          endRequest,
        );
        if ('issues' in events) return refuse(events);
        // The stream ends the request.
        endRequest = null;
        const followed = patientIn(query);
        if (followed !== null) context.returned?.push({ resources: [], searchedPatientIds: [followed] });
        return events;
      }
      const exporting = respondToExport?.(request, { path, query, principal, context, onError: reportCause });
      if (exporting != null) {
        const exported = await exporting;
        return E.isLeft(exported) ? refuse(exported.left) : exported.right;
      }
      const resourcePath = parseResourcePath(path, basePath);
      if (resourcePath === null) return refuse(pathNotFound);
      const pathRoutes = routes.at(resourcePath);
      if (pathRoutes.length === 0) return refuse(pathNotFound);
      const route = routeFor(request, pathRoutes);
      if (route === undefined) return refuse(withAllowHeader(methodNotAllowed, pathRoutes));
      const limitFor = createChartLimits({ principal, request }, authorize);
      const chartLimit = limitFor(route.type, route.interaction);
      if (chartLimit === null) return refuse(insufficientScope);
      if (mediaType === null) return refuse(notAcceptable);
      if (hasSession && isUntypedWrite(request, route)) return refuse(untypedWrite);
      const body = await parseBody(request, route, bodyLimit);
      if (E.isLeft(body)) return refuse(body.left);
      context.form = body.right.form;
      const formMediaType = requestedFormat(body.right.form);
      if (formMediaType === null) return refuse(notAcceptable);
      const precondition = parsePrecondition(request, route.interaction);
      if (E.isLeft(precondition)) return refuse(precondition.left);

      const { handling, returns = defaultReturn } = parsePreference(headerOf(request, 'prefer'));
      const result = await route.run({
        id: resourcePath.id,
        version: resourcePath.version,
        baseUrl,
        reach: (type) => limitFor(type, 'read'),
        parameters: parametersOf(query, body.right.form),
        body: body.right.json,
        ...chartLimit,
        handling,
        by: subjectOf(principal),
        idempotencyKey: headerOf(request, 'idempotency-key'),
        ...precondition.right,
        onReturn: context.returned === null ? undefined : (one) => context.returned?.push(one),
      })();
      if (E.isLeft(result)) {
        if (result.left._tag === 'StoreFailure') reportCause(result.left.cause);
        return refuse(routeErrorOf(result.left, route, pathRoutes));
      }
      const written = context.returned && writtenBy(route, result.right);
      if (written !== null) context.returned?.push(written);
      const prefersResource = route.method !== 'GET' && returns === 'representation';
      const shown = prefersResource && mayRead(limitFor(route.type, 'read'), result.right, reportCause);
      return successResponse(result.right, {
        mediaType: formMediaType ?? mediaType,
        showsRepresentation: typeof shown === 'boolean' ? shown : await shown,
        minimalBody: defaultReturn === 'minimal' ? 'null' : '',
        isKnown: route.method === 'GET' && isKnown(request, result.right),
        base,
        route,
      });
    } catch (cause) {
      if (cause instanceof RequestAborted) throw cause.cause;
      reportCause(cause);
      return refuse(cause instanceof AuthenticationUnavailable ? authenticationUnavailable : internalError);
    } finally {
      endRequest?.();
    }
  };
  /** Reports each request before its response is sent. If that fails, the response contains nothing of a chart. */
  const handleReported: typeof handle =
    reportAccess === null
      ? handle
      : async (request, context) => {
          const response = await handle(request, context);
          if (context.isPublic) return response;
          const error = await reportAccess(accessOf(request, context, { response, routes, basePath }));
          if (error === null) return response;
          if (error._tag === 'StoreFailure') report(error.cause, errorContextOf(request, context));
          const { query } = splitUrl(request.url);
          const mediaType = negotiateMediaType(headerOf(request, 'accept'), query) ?? mediaTypes[0];
          return errorResponse(httpErrorOf(error), mediaType);
        };
  const handleWithCors =
    (options: CorsOptions): typeof handle =>
    async (request, context) =>
      isPreflight(request)
        ? preflightResponse(request, options)
        : withCorsHeaders(await handleReported(request, context), request, options);
  const respond = cors === undefined ? handleReported : handleWithCors(cors);
  return Object.assign(
    async (request: HttpRequest) => {
      const requestId = requestIdOf(request);
      const context = createRequestContext(requestId, { isReported: reportAccess !== null });
      const response = await respond(request, context);
      return { ...withRequestId(response, requestId), route: templateAt(request.url) };
    },
    { bodyLimit },
  );
};
