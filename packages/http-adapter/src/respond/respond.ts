import {
  type ChartLimit,
  type ConditionalOptions,
  isFailure,
  type Precondition,
  type ReadOptions,
} from '@clinical-records/core';
import { type AnswerContent, isWithinLimit } from '@clinical-records/core/adapter';
import { askAuthorize, mayBeWritten } from '@clinical-records/core/store';
import type { Either } from 'fp-ts/lib/Either.js';
import * as E from 'fp-ts/lib/Either.js';
import {
  bothLimits,
  createChartLimits,
  hasSession,
  type LimitSettings,
  labelsIn,
} from '../access/authorize.ts';
import {
  commandType,
  correctionType,
  type Interaction,
  mayAgent,
  type Principal,
  permissions,
  scopesFor,
  subjectOf,
} from '../access/scopes.ts';
import {
  agentWrite,
  createUnsupportedCondition,
  type HttpError,
  insufficientScope,
  interactionNotSupported,
  malformedIfMatch,
  methodNotAllowed,
  notAcceptable,
  pathNotFound,
  untypedWrite,
} from '../errors.ts';
import type { HostResources } from '../host/host-resources.ts';
import {
  firstHeaderOf,
  type HttpRequest,
  type HttpResponse,
  hasVersion,
  headerOf,
  type MediaType,
  type PreferredReturn,
  parseEntityTags,
  parsePreference,
  requestedFormat,
} from '../http.ts';
import { parseHttpDate } from '../http-date.ts';
import { noBody, parseBody } from '../request/body.ts';
import { type RequestContext, routeFor } from '../request/request.ts';
import { isConditionalCreate, type Route, type RouteResult } from '../routes/route.ts';
import { routeErrorOf, successResponse, withAllowHeader } from './response.ts';

/** A request whose sender is known. */
export type AuthenticatedRequest = {
  readonly request: HttpRequest;
  readonly principal: Principal;
  /** The media type of the response; null if the client accepts none that is offered. */
  readonly mediaType: MediaType | null;
  readonly context: RequestContext;
  /** Finds the principal of the request again: what authenticated it may have ended since. */
  readonly authenticateAgain: () => Promise<Principal | null>;
  /** Reports the cause of an error that the client does not see. */
  readonly reportCause: (cause: unknown) => void;
  /** Ends the request. Only a response with a `stream` calls it, when the stream ends. */
  readonly onStreamEnd: () => void;
};

const noPrecondition: E.Either<HttpError, Precondition> = E.right({});

const isWrite = (interaction: Interaction): boolean => !/[rs]/.test(permissions[interaction]);

/**
 * The precondition of a write. One that is not supported is refused, because ignoring it could overwrite or duplicate a resource. If
 * there is an `If-Match`, whatever its value, `If-Unmodified-Since` is ignored. It is also ignored if it is not a date. Source:
 * RFC 9110, 13.1; FHIR R4, RESTful API, 3.1.0.8.1.
 */
const parsePrecondition = (
  request: HttpRequest,
  route: Pick<Route, 'type' | 'interaction' | 'createCondition' | 'isValidation'>,
  { conditionalCreates }: Pick<InterfaceSettings, 'conditionalCreates'>,
): E.Either<HttpError, Precondition & ConditionalOptions> => {
  const { interaction } = route;
  // A correction names the versions in its body.
  const hasNone = !isWrite(interaction) || route.isValidation || route.type === correctionType;
  if (hasNone) return noPrecondition;
  const ifNoneExist = headerOf(request, 'if-none-exist');
  const isSupported = ifNoneExist === undefined || isConditionalCreate(route);
  if (!isSupported || headerOf(request, 'if-none-match') !== undefined)
    return E.left(createUnsupportedCondition(conditionalCreates));
  if (interaction === 'create' && route.createCondition !== 'If-Match')
    return ifNoneExist === undefined ? noPrecondition : E.right({ ifNoneExist });
  const ifMatch = headerOf(request, 'if-match');
  if (ifMatch !== undefined) {
    const versions = parseEntityTags(ifMatch);
    return versions === null ? E.left(malformedIfMatch) : E.right({ ifMatch: versions });
  }
  const since = firstHeaderOf(request, 'if-unmodified-since');
  const time = since === undefined ? undefined : parseHttpDate(since, new Date());
  return time === undefined ? noPrecondition : E.right({ ifUnmodifiedSince: new Date(time) });
};

/** A response, or the error that it describes. */
export type ResponseResult = Either<HttpError, HttpResponse>;

/** Responds to the requests at certain paths. Returns null for any other path. */
export type Responder = (authenticated: AuthenticatedRequest) => Promise<ResponseResult> | null;

/** The settings on which responses depend: where the interface is, and those of the host. */
export type InterfaceSettings = LimitSettings & {
  readonly basePath: string;
  readonly baseUrl: string | undefined;
  readonly links: ReadOptions['links'];
  readonly bodyLimit: number;
  readonly hostResources: HostResources;
  readonly defaultReturn: PreferredReturn;
  /** The requests that create a resource only if there is none yet, such as `POST /Immunization`. */
  readonly conditionalCreates: readonly string[];
};

/** The parameters of a search, from the query string and from a form. A `_format` with a value is for the response as a whole. */
const searchParametersOf = (query: string, form: string): readonly (readonly [string, string])[] =>
  query === '' && form === ''
    ? []
    : [...new URLSearchParams(query), ...new URLSearchParams(form)].filter(
        ([name, value]) => name !== '_format' || value.trim() === '',
      );

/**
 * Whether a page of another site could have made a browser send a write. It can if the body has no type. For JSON, the
 * browser first asks for permission. Source: Fetch, "CORS-safelisted request-header".
 */
const isUntypedWrite = (request: HttpRequest, { bodyFormat }: Route): boolean =>
  bodyFormat === 'json' && headerOf(request, 'content-type') === undefined;

/** Whether the client has the version that is read. A bundle has no version. */
const isKnown = (request: HttpRequest, result: RouteResult): boolean =>
  typeof result !== 'string' && hasVersion(request, result.version);

/**
 * Whether the result of a write may be read by its sender. The resource may have more data than the request sent. If the host
 * fails, it may not: a 500 would say that the write failed. Under a limit to resources, and if it is a command, it is read again.
 */
const mayRead = (
  limit: ChartLimit | null,
  result: RouteResult,
  { type, readWritten }: Pick<Route, 'type' | 'readWritten'>,
  onFailure: (cause: unknown) => void,
): boolean | Promise<boolean> => {
  if (limit === null || typeof result === 'string') return false;
  // It says what was sent, and counts.
  if (type === correctionType) return true;
  const { id, patientId } = result;
  const refuse = (cause: unknown): false => {
    onFailure(cause);
    return false;
  };
  if ('matching' in limit || type === commandType)
    return readWritten?.(id, limit).then(E.isRight, refuse) ?? false;
  const patientIds = patientId === null ? [] : [patientId];
  if (!isWithinLimit(limit, patientIds)) return false;
  const { authorize } = limit;
  if (authorize === undefined) return true;
  return askAuthorize(authorize, { id, patientIds, labels: labelsIn(JSON.parse(result.json)) }).then(
    (answer) => isWithinLimit(answer, patientIds),
    refuse,
  );
};

/** The reach of a sender, with the reports for an audit if somebody asks for these. */
const accessOptionsOf = (
  limit: ChartLimit,
  principal: Principal,
  { returned, deniedPatientIds }: RequestContext,
) => ({
  ...limit,
  by: subjectOf(principal),
  ...(returned !== null && {
    onReturn: (part: AnswerContent) => returned.push(part),
    onDeny: (patientId: string) => deniedPatientIds.push(patientId),
  }),
});

/** Responds by the route of a request. Its checks are in the order of docs/decisions.md#status-codes. */
export const createRespondByRoute =
  (settings: InterfaceSettings) =>
  async (authenticated: AuthenticatedRequest): Promise<ResponseResult> => {
    const { basePath, baseUrl, links, bodyLimit, defaultReturn } = settings;
    const { request, mediaType, principal, context, reportCause } = authenticated;
    const { query, resourcePath, pathRoutes, isUnsupported } = context.target;
    if (isUnsupported) return E.left(interactionNotSupported);
    if (resourcePath === null || pathRoutes.length === 0) return E.left(pathNotFound);
    const route = routeFor(request, pathRoutes);
    if (route === undefined) return E.left(withAllowHeader(methodNotAllowed, pathRoutes));
    const limitFor = createChartLimits({ principal, request }, settings);
    const { agent } = principal;
    if (agent !== undefined && !mayAgent(agent, route.type, route.interaction)) return E.left(agentWrite);
    const chartLimit = limitFor(route.type, route.interaction);
    if (chartLimit === null) return E.left(insufficientScope(scopesFor(route.type, route.interaction)));
    if (mediaType === null) return E.left(notAcceptable);
    if (hasSession(request) && isUntypedWrite(request, route)) return E.left(untypedWrite);
    const { type, bodyFormat, isBodyOptional } = route;
    const body =
      bodyFormat === 'nothing'
        ? noBody
        : await parseBody(request, { type, bodyFormat, isBodyOptional }, bodyLimit);
    if (E.isLeft(body)) return body;
    const { form } = body.right;
    context.form = form;
    const formMediaType = form === '' ? undefined : requestedFormat(form);
    if (formMediaType === null) return E.left(notAcceptable);
    const further = route.furtherInteractions?.(body.right.json) ?? [];
    if (agent !== undefined && further.length > 0) return E.left(agentWrite);
    const limit = further.reduce<ChartLimit | null>(
      (granted, interaction) => granted && bothLimits(granted, limitFor(type, interaction)),
      chartLimit,
    );
    if (limit === null) return E.left(insufficientScope(scopesFor(type, route.interaction, ...further)));
    const precondition = parsePrecondition(request, route, settings);
    if (E.isLeft(precondition)) return precondition;

    const { handling, returns: preferred } = parsePreference(headerOf(request, 'prefer'));
    const access = accessOptionsOf(limit, principal, context);
    context.mayBeWritten = !route.isValidation;
    const result = await route.run({
      id: resourcePath.id,
      version: resourcePath.version,
      parameters: searchParametersOf(query, form),
      body: body.right.json,
      handling,
      idempotencyKey: headerOf(request, 'idempotency-key'),
      access,
      bundle: { ...access, handling, baseUrl, links, reach: (type) => limitFor(type, 'read') },
      write: { ...access, ...precondition.right },
      agent,
    });
    if (E.isLeft(result)) {
      context.mayBeWritten = mayBeWritten(result.left);
      if (isFailure(result.left)) reportCause(result.left.cause);
      return E.left(routeErrorOf(result.left, route, pathRoutes));
    }
    const wanted = preferred ?? defaultReturn;
    const isRefused =
      route.method !== 'GET' &&
      wanted === 'representation' &&
      !(await mayRead(limitFor(route.type, 'read'), result.right, route, reportCause));
    const returns = isRefused ? 'minimal' : wanted;
    return E.right(
      successResponse(result.right, {
        mediaType: formMediaType ?? mediaType,
        returns,
        isPreferred: returns === preferred,
        minimalBody: defaultReturn === 'minimal' ? 'null' : '',
        isKnown: route.method === 'GET' && isKnown(request, result.right),
        base: baseUrl ?? basePath,
        route,
      }),
    );
  };
