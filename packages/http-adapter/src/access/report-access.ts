import {
  type Access,
  isDerivedId,
  isFailure,
  type ReportAccess,
  type Returned,
} from '@clinical-records/core';
import { httpErrorOf, type ReportError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http.ts';
import { type HandleInContext, type RequestContext, routeFor } from '../request.ts';
import { errorResponse } from '../response.ts';
import type { Route, RouteResult } from '../routes.ts';

/** The most characters of a query. A sender without a token must not be able to fill a log. */
const maxQuery = 8192;

const outcomeOf = ({ status }: HttpResponse): Access['outcome'] => {
  if (status < 400) return 'success';
  return status < 500 ? 'refused' : 'failed';
};

/** The version that a write has written. Null after any other route. */
export const writtenBy = ({ type, interaction }: Route, result: RouteResult): Returned | null => {
  if (typeof result === 'string' || (interaction !== 'create' && interaction !== 'update')) return null;
  const { id, version, patientId } = result;
  return { resources: [{ type, id, version, patientId }], searchedPatientIds: [] };
};

/** A request and its response as an access. */
export const accessOf = (
  request: HttpRequest,
  { requestId, target, address, principal, form, error, returned }: RequestContext,
  response: HttpResponse,
): Access => {
  const { query, resourcePath, pathRoutes, exportPath, isEventStream } = target;
  const isOperation = exportPath !== null || isEventStream;
  const id = resourcePath?.id ?? '';
  const outcome = outcomeOf(response);
  return {
    by: principal?.subject ?? null,
    client: principal?.client ?? null,
    address,
    interaction: isOperation ? 'operation' : (routeFor(request, pathRoutes)?.interaction ?? null),
    resourceType: pathRoutes[0]?.type ?? null,
    id: isDerivedId(id) ? id : null,
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
