import type { ClinicalRecords } from '@clinical-records/core';
import { toEithers } from '@clinical-records/core/fp-ts';
import * as E from 'fp-ts/lib/Either.js';
import { withAllowHeader } from './allow-header.ts';
import { createAuditRoute } from './audit-route.ts';
import { type Authentication, AuthenticationUnavailable, authenticateRequest } from './authentication.ts';
import { createRespondToExport } from './bulk-export/bulk-export.ts';
import { isPreflight, preflightResponse, withCors } from './cors.ts';
import { createRespondToEvents } from './events/events.ts';
import { checkHandlerOptions, type HttpHandlerOptions } from './handler-options.ts';
import { type HttpHandler, type HttpRequest, headerOf } from './http.ts';
import {
  authenticationUnavailable,
  type HttpError,
  internalError,
  methodNotAllowed,
  tooManyInFlight,
  tooManyParameters,
  twoAuthorizations,
  unauthenticated,
} from './http-error.ts';
import { limitInFlight } from './limit-in-flight.ts';
import { mediaTypes, negotiateMediaType } from './media-type.ts';
import { hasTooManyParameters } from './parameter-text.ts';
import { RequestAborted } from './parse-body.ts';
import { createTemplateAt } from './path-template.ts';
import { createPublicDocuments } from './public-documents.ts';
import { createReferencedResources } from './referenced-resources.ts';
import { withAccessReport } from './report-access.ts';
import { createReportError } from './report-error.ts';
import { createRequestContext, type HandleInContext } from './request-context.ts';
import { hasTwoAuthorizations } from './request-headers.ts';
import { requestIdOf } from './request-id.ts';
import { createFindTarget, type RequestTarget } from './request-target.ts';
import { createRespondByRoute } from './respond-by-route.ts';
import { errorResponse } from './response.ts';
import { createRouteTable, methodOf } from './route-table.ts';
import { createGoalCommandRoutes, createRoutes } from './routes.ts';
import { servedTypesOf, withoutHostTypes } from './served-records.ts';

/**
 * Creates the whole interface as one function from request to response. It does not open a port or depend on a
 * framework. `<basePath>/metadata` and `<basePath>/openapi.json` describe it to everybody: they have no data of a chart
 * and need no token.
 *
 * Throws if `authenticate` is missing, or an option is not valid.
 *
 * @example
 * const handler = createHttpHandler(records, { authenticate, basePath: '/fhir' });
 * createServer(toNodeListener(handler)).listen(3000, '127.0.0.1');
 */
export const createHttpHandler = (records: ClinicalRecords, options: HttpHandlerOptions): HttpHandler => {
  const { basePath = '', baseUrl, bodyLimit = 256 * 1024, onError = () => {} } = options;
  const { cors, smartConfiguration, hostResources, auditLog, authorize, maxInFlight, events, bulkExport } =
    options;
  const { capabilities = {}, defaultReturn = 'minimal', goalCommands = false } = options;
  const { report: reportAccess, unreported } = records.access ?? { report: null, unreported: records };
  const served = withoutHostTypes(unreported, hostResources?.types ?? []);
  checkHandlerOptions(options, servedTypesOf(served));
  if (auditLog !== undefined && records.access === null) {
    throw new TypeError('auditLog needs records with onAccess: a reading of the log is an event, too.');
  }
  const authentication: Authentication = { ...options };
  const beginRequest = limitInFlight(maxInFlight);
  const reportError = createReportError(onError);
  const eithers = toEithers(served);
  const allRoutes = [
    ...createRoutes(eithers, createReferencedResources(eithers, hostResources), hostResources),
    ...(goalCommands ? createGoalCommandRoutes(eithers) : []),
    ...(auditLog === undefined ? [] : [createAuditRoute(auditLog)]),
  ];
  const [hasBulkExport, hasEvents] = [bulkExport !== undefined, events !== undefined];
  const documents = createPublicDocuments({
    ...{
      routes: allRoutes,
      records: served,
      basePath,
      baseUrl,
      smartConfiguration,
      capabilities,
      defaultReturn,
    },
    hasCors: cors !== undefined,
    isLimitedInFlight: maxInFlight !== undefined,
    hasBulkExport,
  });
  const findTarget = createFindTarget(basePath, createRouteTable(allRoutes), { hasBulkExport, hasEvents });
  const documentAt = ({ path, pathRoutes }: RequestTarget) =>
    pathRoutes.length === 0 ? documents.get(path) : undefined;
  const templateAt = createTemplateAt(basePath, documents);
  const environment = { basePath, baseUrl, bodyLimit, authorize, defaultReturn };
  const respondToEvents = events && createRespondToEvents(events, served, environment);
  const respondToExport = bulkExport && createRespondToExport(bulkExport, served, environment);
  const respondByRoute = createRespondByRoute(environment);

  const handle: HandleInContext = async (request, context) => {
    const mediaType = negotiateMediaType(headerOf(request, 'accept'), context.target.query);
    context.errorMediaType = mediaType ?? mediaTypes[0];
    const refuse = (error: HttpError) => {
      context.error = error;
      return errorResponse(error, context.errorMediaType);
    };
    const reportCause = (cause: unknown) => reportError(cause, request, context);
    let endRequest: (() => void) | null = null;
    try {
      const document = documentAt(context.target);
      if (document !== undefined) {
        context.isPublic = true;
        if (isPreflight(request)) return preflightResponse(request, { origins: '*' });
        if (methodOf(request) !== 'GET')
          return refuse(withAllowHeader(methodNotAllowed, [{ method: 'GET' }]));
        return document(mediaType ?? mediaTypes[0]);
      }
      if (hasTwoAuthorizations(request)) return refuse(twoAuthorizations);
      const principal = await authenticateRequest(request, authentication);
      if (!principal) return refuse(unauthenticated);
      context.principal = principal;
      endRequest = beginRequest(principal);
      if (endRequest === null) return refuse(tooManyInFlight);
      if (hasTooManyParameters(context.target.query)) return refuse(tooManyParameters);

      const authenticated = {
        request,
        principal,
        mediaType,
        context,
        reportCause,
        onStreamEnd: endRequest,
      };
      const response = await (respondToEvents?.(authenticated) ??
        respondToExport?.(authenticated) ??
        respondByRoute(authenticated));
      if (E.isLeft(response)) return refuse(response.left);
      // The end of a stream is the end of its request.
      if (response.right.stream !== undefined) endRequest = null;
      return response.right;
    } catch (cause) {
      if (cause instanceof RequestAborted) throw cause.cause;
      reportCause(cause);
      return refuse(cause instanceof AuthenticationUnavailable ? authenticationUnavailable : internalError);
    } finally {
      endRequest?.();
    }
  };
  const handleReported = reportAccess === null ? handle : withAccessReport(handle, reportAccess, reportError);
  const isPublic = (target: RequestTarget) => documentAt(target) !== undefined;
  const respond = cors === undefined ? handleReported : withCors(handleReported, cors, isPublic);
  return Object.assign(
    async (request: HttpRequest) => {
      const requestId = requestIdOf(request);
      const target = findTarget(request.url);
      const context = createRequestContext(request, {
        ...{ requestId, target, isReported: reportAccess !== null },
      });
      const response = await respond(request, context);
      const headers = { ...response.headers, 'x-request-id': requestId };
      return { ...response, headers, route: templateAt(target) };
    },
    { bodyLimit },
  );
};
