import {
  type AnyClinicalRecords,
  type ClinicalRecords,
  ClinicalRecordsError,
  isFailure,
} from '@clinical-records/core';
import { mayBeWritten } from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import {
  type Authentication,
  AuthenticationUnavailable,
  authenticateRequest,
  type BeginRequest,
  createInFlightLimit,
} from './access/authorize.ts';
import { matchingIssuesOf } from './access/scopes.ts';
import { createRespondToExport } from './bulk-export/bulk-export.ts';
import { withCors } from './cors.ts';
import {
  authenticationUnavailable,
  type HttpError,
  httpErrorOf,
  internalError,
  tooManyInFlight,
  tooManyParameters,
  twoAuthorizations,
  unauthenticated,
} from './errors.ts';
import { createRespondToEvents } from './events/events.ts';
import { noHostResources } from './host/host-resources.ts';
import { createReferencedResources } from './host/references.ts';
import {
  type HttpHandler,
  type HttpRequest,
  hasTooManyParameters,
  hasTwoAuthorizations,
  headerOf,
  mediaTypes,
  negotiateMediaType,
} from './http.ts';
import { checkHandlerOptions, type HttpHandlerOptions } from './options.ts';
import { createPublicDocuments, respondWithDocument } from './public-documents.ts';
import { RequestAborted } from './request/body.ts';
import {
  createFindTarget,
  createRequestContext,
  createRouteTable,
  createTemplateAt,
  type HandleInContext,
  type RequestTarget,
  requestIdOf,
} from './request/request.ts';
import { withAccessReport } from './respond/report-access.ts';
import { createReportError, type ReportError } from './respond/report-error.ts';
import {
  type AuthenticatedRequest,
  createRespondByRoute,
  type InterfaceSettings,
  type ResponseResult,
} from './respond/respond.ts';
import { errorResponse } from './respond/response.ts';
import { createCommandRoutes } from './routes/command-routes.ts';
import { createCorrectionRoutes } from './routes/correction-routes.ts';
import { isConditionalCreate, type Route } from './routes/route.ts';
import {
  createAuditRoute,
  createRoutes,
  servedTypesOf,
  toServedRecords,
  withoutHostTypes,
} from './routes/routes.ts';

const createAllRoutes = (
  served: ClinicalRecords,
  { hostResources, chartCommands = false, corrections = false, auditLog }: HttpHandlerOptions,
): readonly Route[] => {
  const eithers = toServedRecords(served);
  return [
    ...createRoutes(eithers, createReferencedResources(eithers, hostResources), hostResources),
    ...(chartCommands ? createCommandRoutes(eithers) : []),
    ...(corrections ? createCorrectionRoutes(eithers) : []),
    ...(auditLog === undefined ? [] : [createAuditRoute(auditLog)]),
  ];
};

type Respond<Received> = (received: Received) => Promise<ResponseResult>;

/** Responds to a request of a known sender: by the first responder that serves its path. */
const createRespondToAuthenticated = (
  served: ClinicalRecords,
  { events, bulkExport }: HttpHandlerOptions,
  settings: InterfaceSettings,
): Respond<AuthenticatedRequest> => {
  const respondToEvents = events && createRespondToEvents(events, served, settings);
  const respondToExport = bulkExport && createRespondToExport(bulkExport, served, settings);
  const respondByRoute = createRespondByRoute(settings);
  return (authenticated) =>
    respondToEvents?.(authenticated) ?? respondToExport?.(authenticated) ?? respondByRoute(authenticated);
};

/** A request whose sender may not be known. */
type ReceivedRequest = Pick<AuthenticatedRequest, 'request' | 'mediaType' | 'context' | 'reportCause'>;

/** Authenticates the sender of a request, and counts the request until it ends. */
const createRespondToSender =
  (
    respond: Respond<AuthenticatedRequest>,
    authentication: Authentication,
    beginRequest: BeginRequest,
  ): Respond<ReceivedRequest> =>
  async (received) => {
    const { request, context } = received;
    if (hasTwoAuthorizations(request)) return E.left(twoAuthorizations);
    const authenticateAgain = () => authenticateRequest(request, authentication);
    const principal = await authenticateAgain();
    if (!principal) return E.left(unauthenticated);
    context.principal = principal;
    const endRequest = beginRequest(principal);
    if (endRequest === null) return E.left(tooManyInFlight);
    let isStream = false;
    try {
      if (hasTooManyParameters(context.target.query)) return E.left(tooManyParameters);
      const response = await respond({ ...received, principal, authenticateAgain, onStreamEnd: endRequest });
      isStream = E.isRight(response) && response.right.stream !== undefined;
      return response;
    } finally {
      // The end of a stream is the end of its request.
      if (!isStream) endRequest();
    }
  };

/** The error that a client gets for an exception, whose cause only the host sees. */
const errorOfException = (cause: unknown, { context, reportCause }: ReceivedRequest): HttpError => {
  if (cause instanceof RequestAborted) throw cause.cause;
  const failure = cause instanceof ClinicalRecordsError && isFailure(cause.error) ? cause.error : null;
  reportCause(failure === null ? cause : failure.cause);
  if (failure !== null) {
    context.mayBeWritten = mayBeWritten(failure);
    return httpErrorOf(failure);
  }
  return cause instanceof AuthenticationUnavailable ? authenticationUnavailable : internalError;
};

/** Handles a request in its context. An error or an exception becomes a response. */
const createHandle =
  (respond: Respond<ReceivedRequest>, reportError: ReportError): HandleInContext =>
  async (request, context) => {
    const mediaType = negotiateMediaType(headerOf(request, 'accept'), context.target.query);
    context.errorMediaType = mediaType ?? mediaTypes[0];
    const reportCause = (cause: unknown) => reportError(cause, request, context);
    const received = { request, context, mediaType, reportCause };
    const response = await respond(received).catch((cause: unknown) =>
      E.left(errorOfException(cause, received)),
    );
    if (E.isRight(response)) return response.right;
    context.error = response.left;
    return errorResponse(response.left, context.errorMediaType);
  };

/** Gives each request its context, and each response the id and the route of its request. */
const withContext =
  (
    handle: HandleInContext,
    {
      findTarget,
      templateAt,
      isReported,
    }: {
      readonly findTarget: (url: string) => RequestTarget;
      readonly templateAt: (target: RequestTarget) => string | undefined;
      readonly isReported: boolean;
    },
  ) =>
  async (request: HttpRequest) => {
    const requestId = requestIdOf(request);
    const target = findTarget(request.url);
    const response = await handle(request, createRequestContext(request, { requestId, target, isReported }));
    const headers = { ...response.headers, 'x-request-id': requestId };
    return { ...response, headers, route: templateAt(target) };
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
export const createHttpHandler = (records: AnyClinicalRecords, options: HttpHandlerOptions): HttpHandler => {
  const { basePath = '', baseUrl, links, bodyLimit = 256 * 1024, onError = () => {} } = options;
  const {
    cors,
    hostResources = noHostResources,
    auditLog,
    authorize,
    maxInFlight,
    events,
    bulkExport,
  } = options;
  const { defaultReturn = 'minimal' } = options;
  const { report: reportAccess, unreported } = records.access ?? { report: null, unreported: records };
  const served = withoutHostTypes(unreported, hostResources);
  checkHandlerOptions(options, servedTypesOf(served));
  if (auditLog !== undefined && records.access === null) {
    throw new TypeError('auditLog needs records with onAccess: a reading of the log is an event, too.');
  }
  const routes = createAllRoutes(served, options);
  const documents = createPublicDocuments(routes, served, options);
  const documentAt = ({ path, pathRoutes }: RequestTarget) =>
    pathRoutes.length === 0 ? documents.get(path) : undefined;
  const settings: InterfaceSettings = {
    basePath,
    baseUrl,
    links,
    bodyLimit,
    authorize,
    matchingIssues: matchingIssuesOf(served),
    hostResources,
    defaultReturn,
    conditionalCreates: routes.filter(isConditionalCreate).map(({ type }) => `POST /${type}`),
  };
  const respondToAuthenticated = createRespondToAuthenticated(served, options, settings);
  /** An agent reads a document as everybody does, once it is known who it is. */
  const respondToSender = createRespondToSender(
    async (authenticated) => {
      const document = documentAt(authenticated.context.target);
      return document === undefined
        ? respondToAuthenticated(authenticated)
        : respondWithDocument(document, authenticated);
    },
    { ...options },
    createInFlightLimit(maxInFlight),
  );
  const respond: Respond<ReceivedRequest> = async (received) => {
    const document = documentAt(received.context.target);
    received.context.isPublic = document !== undefined;
    return document === undefined || received.request.agent !== undefined
      ? respondToSender(received)
      : respondWithDocument(document, received);
  };
  const reportError = createReportError(onError);
  const handle = createHandle(respond, reportError);
  const reported =
    reportAccess === null
      ? handle
      : withAccessReport(handle, { reportAccess, reportError, resources: served.resources });
  const isPublic = (target: RequestTarget) => documentAt(target) !== undefined;
  const findTarget = createFindTarget(basePath, createRouteTable(routes), {
    hasBulkExport: bulkExport !== undefined,
    hasGroupExport: bulkExport?.groupMembers !== undefined,
    hasEvents: events !== undefined,
  });
  return Object.assign(
    withContext(cors === undefined ? reported : withCors(reported, cors, isPublic), {
      findTarget,
      templateAt: createTemplateAt(basePath, documents),
      isReported: reportAccess !== null,
    }),
    { bodyLimit },
  );
};
