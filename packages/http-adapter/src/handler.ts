import { type ClinicalRecords, ClinicalRecordsError, isFailure } from '@clinical-records/core';
import { toEithers } from '@clinical-records/core/fp-ts';
import { mayBeWritten } from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import {
  type Authentication,
  AuthenticationUnavailable,
  authenticateRequest,
  createInFlightLimit,
} from './access/authorize.ts';
import { createRespondToExport } from './bulk-export/bulk-export.ts';
import { isPreflight, preflightResponse, publicCorsHeaders, withCors } from './cors.ts';
import {
  createCapabilityStatement,
  type HostCapabilities,
  type SmartConfiguration,
} from './documents/capabilities.ts';
import { createOpenApiDocument } from './documents/openapi.ts';
import {
  authenticationUnavailable,
  type HttpError,
  httpErrorOf,
  internalError,
  methodNotAllowed,
  notAcceptable,
  tooManyInFlight,
  tooManyParameters,
  twoAuthorizations,
  unauthenticated,
} from './errors.ts';
import { createRespondToEvents } from './events/events.ts';
import { createReferencedResources } from './host/references.ts';
import {
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  hasTooManyParameters,
  hasTwoAuthorizations,
  headerOf,
  type MediaType,
  mediaTypes,
  negotiateMediaType,
  type PreferredReturn,
} from './http.ts';
import { checkHandlerOptions, type HttpHandlerOptions } from './options.ts';
import { RequestAborted } from './request/body.ts';
import {
  createFindTarget,
  createRequestContext,
  createRouteTable,
  createTemplateAt,
  type HandleInContext,
  methodOf,
  type RequestTarget,
  requestIdOf,
} from './request/request.ts';
import { withAccessReport } from './respond/report-access.ts';
import { createReportError } from './respond/report-error.ts';
import { createRespondByRoute, type InterfaceSettings } from './respond/respond.ts';
import { contentTypeHeaders, errorResponse, withAllowHeader } from './respond/response.ts';
import { createCommandRoutes } from './routes/command-routes.ts';
import type { Route } from './routes/route.ts';
import { createAuditRoute, createRoutes, servedTypesOf, withoutHostTypes } from './routes/routes.ts';

/** A document that needs no token, in a media type; null if the client accepts none that is offered. It has no data of a chart. */
type PublicDocument = (mediaType: MediaType | null) => HttpResponse | null;

type DocumentSources = {
  readonly routes: readonly Route[];
  readonly records: Pick<ClinicalRecords, 'describe'>;
  readonly basePath: string;
  readonly baseUrl: string | undefined;
  readonly hasCors: boolean;
  readonly smartConfiguration: SmartConfiguration | undefined;
  readonly defaultReturn: PreferredReturn;
  readonly isLimitedInFlight: boolean;
  readonly hasBulkExport: boolean;
  readonly hasGroupExport: boolean;
  readonly capabilities: HostCapabilities;
};

/** A document that is created when it is first read. */
const createDocument = (create: () => object): PublicDocument => {
  let body: string | undefined;
  return (mediaType) => {
    if (mediaType === null) return null;
    body ??= JSON.stringify(create());
    return { status: 200, headers: { ...contentTypeHeaders(mediaType), ...publicCorsHeaders }, body };
  };
};

/** The documents that describe the interface, by their paths. */
const createPublicDocuments = ({
  basePath,
  records,
  smartConfiguration,
  defaultReturn,
  isLimitedInFlight,
  ...sources
}: DocumentSources): ReadonlyMap<string, PublicDocument> => {
  const { routes, baseUrl } = sources;
  const date = new Date();
  const openApi = createDocument(() =>
    createOpenApiDocument({
      routes,
      description: records.describe(),
      base: baseUrl ?? basePath,
      defaultReturn,
      isLimitedInFlight,
      hasBulkExport: sources.hasBulkExport,
      hasGroupExport: sources.hasGroupExport,
    }),
  );
  const smart = smartConfiguration && createDocument(() => smartConfiguration);
  return new Map([
    [`${basePath}/openapi.json`, () => openApi('application/json')],
    [
      `${basePath}/metadata`,
      createDocument(() =>
        createCapabilityStatement({ ...sources, description: records.describe(), smartConfiguration, date }),
      ),
    ],
    ...(smart === undefined
      ? []
      : [[`${basePath}/.well-known/smart-configuration`, () => smart('application/json')] as const]),
  ]);
};

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
  const { basePath = '', baseUrl, links, bodyLimit = 256 * 1024, onError = () => {} } = options;
  const { cors, smartConfiguration, hostResources, auditLog, authorize, maxInFlight, events, bulkExport } =
    options;
  const { capabilities = {}, defaultReturn = 'minimal', chartCommands = false } = options;
  const { report: reportAccess, unreported } = records.access ?? { report: null, unreported: records };
  const served = withoutHostTypes(unreported, hostResources);
  checkHandlerOptions(options, servedTypesOf(served));
  if (auditLog !== undefined && records.access === null) {
    throw new TypeError('auditLog needs records with onAccess: a reading of the log is an event, too.');
  }
  const authentication: Authentication = { ...options };
  const beginRequest = createInFlightLimit(maxInFlight);
  const reportError = createReportError(onError);
  const eithers = toEithers(served);
  const allRoutes = [
    ...createRoutes(eithers, createReferencedResources(eithers, hostResources), hostResources),
    ...(chartCommands ? createCommandRoutes(eithers) : []),
    ...(auditLog === undefined ? [] : [createAuditRoute(auditLog)]),
  ];
  const hasBulkExport = bulkExport !== undefined;
  const hasGroupExport = bulkExport?.groupMembers !== undefined;
  const documents = createPublicDocuments({
    routes: allRoutes,
    records: served,
    basePath,
    baseUrl,
    smartConfiguration,
    capabilities,
    defaultReturn,
    hasCors: cors !== undefined,
    isLimitedInFlight: maxInFlight !== undefined,
    hasBulkExport,
    hasGroupExport,
  });
  const findTarget = createFindTarget(basePath, createRouteTable(allRoutes), {
    hasBulkExport,
    hasGroupExport,
    hasEvents: events !== undefined,
  });
  const documentAt = ({ path, pathRoutes }: RequestTarget) =>
    pathRoutes.length === 0 ? documents.get(path) : undefined;
  const templateAt = createTemplateAt(basePath, documents);
  const settings: InterfaceSettings = { basePath, baseUrl, links, bodyLimit, authorize, defaultReturn };
  const respondToEvents = events && createRespondToEvents(events, served, settings);
  const respondToExport = bulkExport && createRespondToExport(bulkExport, served, settings);
  const respondByRoute = createRespondByRoute(settings);

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
        return document(mediaType) ?? refuse(notAcceptable);
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
        authenticateAgain: () => authenticateRequest(request, authentication),
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
      const failure = cause instanceof ClinicalRecordsError && isFailure(cause.error) ? cause.error : null;
      reportCause(failure === null ? cause : failure.cause);
      if (failure !== null) {
        context.mayBeWritten = mayBeWritten(failure);
        return refuse(httpErrorOf(failure));
      }
      return refuse(cause instanceof AuthenticationUnavailable ? authenticationUnavailable : internalError);
    } finally {
      endRequest?.();
    }
  };
  const handleReported =
    reportAccess === null
      ? handle
      : withAccessReport(handle, { reportAccess, reportError, resources: served.resources });
  const isPublic = (target: RequestTarget) => documentAt(target) !== undefined;
  const respond = cors === undefined ? handleReported : withCors(handleReported, cors, isPublic);
  return Object.assign(
    async (request: HttpRequest) => {
      const requestId = requestIdOf(request);
      const target = findTarget(request.url);
      const context = createRequestContext(request, {
        requestId,
        target,
        isReported: reportAccess !== null,
      });
      const response = await respond(request, context);
      const headers = { ...response.headers, 'x-request-id': requestId };
      return { ...response, headers, route: templateAt(target) };
    },
    { bodyLimit },
  );
};
