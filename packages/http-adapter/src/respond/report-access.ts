import {
  type Access,
  type AccessInteraction,
  isDerivedId,
  isFailure,
  type ReportAccess,
  type Returned,
} from '@clinical-records/core';
import { commandType, type Interaction } from '../access/scopes.ts';
import { httpErrorOf } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http.ts';
import { type HandleInContext, type RequestContext, routeFor } from '../request/request.ts';
import type { Route, RouteResult } from '../routes/route.ts';
import type { ReportError } from './report-error.ts';
import { errorResponse } from './response.ts';

/** The most characters of a query. A sender without a token must not be able to fill a log. */
const maxQuery = 8192;

const outcomeOfStatus = (status: number): Access['outcome'] => {
  if (status < 400) return 'success';
  return status < 500 ? 'refused' : 'failed';
};

/** The resource behind a command, by its id or the path of the resource; null if it names none. */
const resourceBehind = (commandId: string) => {
  const [type = '', id = ''] = commandId.split('/');
  return isDerivedId(id) ? { type, id } : null;
};

/** The version that a write has written; of a command, that of its resource. Null after any other route. */
export const writtenBy = ({ type, method, interaction }: Route, result: RouteResult): Returned | null => {
  if (typeof result === 'string' || method === 'GET' || interaction === 'search') return null;
  const { id, version, patientId } = result;
  const resource = type === commandType ? resourceBehind(id) : { type, id };
  return resource && { resources: [{ ...resource, version, patientId }], searchedPatientIds: [] };
};

/** The interaction as FHIR names it. The steps of a command update its resource. */
const toAccessInteraction = (interaction: Interaction): AccessInteraction => {
  switch (interaction) {
    case 'commit':
    case 'complete':
    case 'discard':
    case 'enter-in-error':
      return 'update';
    default:
      return interaction;
  }
};

/** A request and its response as an access. */
const accessOf = (
  request: HttpRequest,
  { requestId, target, address, principal, form, error, returned }: RequestContext,
  response: HttpResponse,
): Access => {
  const { query, resourcePath, pathRoutes, exportPath, isEventStream } = target;
  const isOperation = exportPath !== null || isEventStream;
  const route = routeFor(request, pathRoutes);
  const [type = null] = pathRoutes.map((pathRoute) => pathRoute.type);
  const id = resourcePath?.id ?? '';
  const asked =
    (type === commandType ? resourceBehind(id) : null) ??
    ({ type, id: isDerivedId(id) ? id : null } as const);
  const outcome = outcomeOfStatus(response.status);
  return {
    by: principal?.subject ?? null,
    client: principal?.client ?? null,
    address,
    interaction: isOperation
      ? 'operation'
      : route === undefined
        ? null
        : toAccessInteraction(route.interaction),
    resourceType: asked.type,
    id: asked.id,
    query: [query, form]
      .filter((part) => part !== '')
      .join('&')
      .slice(0, maxQuery),
    returned: outcome === 'success' && returned !== null ? returned : [],
    outcome,
    rules: [...new Set(error?.issues.map(({ rule }) => rule))],
    status: response.status,
    requestId,
  };
};

/** Reports each request before its response is sent. If that fails, the response contains nothing of a chart. */
export const withAccessReport =
  (handle: HandleInContext, reportAccess: ReportAccess, reportError: ReportError): HandleInContext =>
  async (request, context) => {
    const response = await handle(request, context);
    if (context.isPublic) return response;
    const error = await reportAccess(accessOf(request, context, response));
    if (error === null) return response;
    await response.stream?.return();
    if (isFailure(error)) reportError(error.cause, request, context);
    return errorResponse(httpErrorOf(error), context.errorMediaType);
  };
