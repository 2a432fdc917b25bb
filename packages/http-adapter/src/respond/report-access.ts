import {
  type Access,
  type AccessInteraction,
  isDerivedId,
  isFailure,
  parsePatientId,
  type ReportAccess,
} from '@clinical-records/core';
import { parseTeamId } from '@clinical-records/core/store';
import { commandType, type Interaction } from '../access/scopes.ts';
import { httpErrorOf } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http.ts';
import {
  type HandleInContext,
  type RequestContext,
  type RequestTarget,
  routeFor,
} from '../request/request.ts';
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

/** Whether a parameter of a search for a type names patients, or teams, whose ids are those of their patients. */
const namesPatients = (type: string | null, name: string): boolean =>
  ['patient', 'subject'].includes(name.replace(/:Patient$/, '')) ||
  (name === '_id' && (type === 'Patient' || type === 'CareTeam'));

/** The patients whose charts the path and the parameters of a request name. */
const namedPatientIds = (
  type: string | null,
  { resourcePath, query, form }: Pick<RequestTarget, 'resourcePath' | 'query'> & { readonly form: string },
): readonly string[] => {
  const isOfPatient = resourcePath?.level === 'chart' || type === 'Patient' || type === 'CareTeam';
  const texts = [...new URLSearchParams(query), ...new URLSearchParams(form)]
    .filter(([name]) => namesPatients(type, name))
    .flatMap(([, value]) => value.split(','));
  if (isOfPatient && resourcePath !== null) texts.push(resourcePath.id);
  return texts
    .map((text) => parsePatientId(text))
    .flatMap((id) => (id === null ? [] : parseTeamId(id).patientId));
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
const accessOf = (request: HttpRequest, context: RequestContext, response: HttpResponse): Access => {
  const { requestId, target, address, principal, form, error, returned, deniedPatientIds, mayBeWritten } =
    context;
  const { query, resourcePath, pathRoutes, exportPath, isEventStream } = target;
  const isOperation = exportPath !== null || isEventStream;
  const route = routeFor(request, pathRoutes);
  const [type = null] = pathRoutes.map((pathRoute) => pathRoute.type);
  const id = resourcePath === null || resourcePath.level === 'chart' ? '' : resourcePath.id;
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
    returned: returned ?? [],
    // Somebody who is not known could fill the audits of all charts.
    deniedPatientIds:
      principal === null
        ? []
        : [...namedPatientIds(type, { resourcePath, query, form }), ...deniedPatientIds],
    mayBeWritten,
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
