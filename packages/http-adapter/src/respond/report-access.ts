import { isFailure } from '@clinical-records/core';
import {
  type Access,
  type AccessInteraction,
  isDerivedId,
  parsePatientId,
  type ReportAccess,
  type ServedResource,
} from '@clinical-records/core/adapter';
import { parseTeamId } from '@clinical-records/core/store';
import { commandType, correctionType } from '../access/scopes.ts';
import { httpErrorOf } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http.ts';
import {
  type HandleInContext,
  type RequestContext,
  type RequestTarget,
  routeFor,
} from '../request/request.ts';
import type { Route } from '../routes/route.ts';
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

/** Whether a parameter of a search names patients. `hasPatientIds` says whether the ids of its type are those of patients. */
const namesPatients = (name: string, hasPatientIds: boolean): boolean =>
  ['patient', 'subject', 'patientId', 'toPatientId'].includes(name.replace(/:Patient$/, '')) ||
  (name === '_id' && hasPatientIds);

/** The patients whose charts the path and the parameters of a request name. */
const namedPatientIds = (
  { resourcePath, query, form }: Pick<RequestTarget, 'resourcePath' | 'query'> & { readonly form: string },
  hasPatientIds: boolean,
): readonly string[] => {
  const texts = [...new URLSearchParams(query), ...new URLSearchParams(form)]
    .filter(([name]) => namesPatients(name, hasPatientIds))
    .flatMap(([, value]) => value.split(','));
  const isOfPatient = hasPatientIds || ['chart', 'correctionsOf'].includes(resourcePath?.level ?? '');
  if (resourcePath !== null && isOfPatient) texts.push(resourcePath.id);
  return texts
    .map((text) => parsePatientId(text))
    .flatMap((id) => (id === null ? [] : parseTeamId(id).patientId));
};

/** The interaction as FHIR names it. The steps of a command and corrections update resources. */
const toAccessInteraction = ({
  interaction,
  isValidation,
}: Pick<Route, 'interaction' | 'isValidation'>): AccessInteraction => {
  if (isValidation) return 'operation';
  switch (interaction) {
    case 'commit':
    case 'complete':
    case 'reopen':
    case 'discard':
    case 'enter-in-error':
    case 'move':
    case 'merge':
      return 'update';
    default:
      return interaction;
  }
};

/** A request and its response as an access. */
const accessOf = (
  request: HttpRequest,
  context: RequestContext,
  response: HttpResponse,
  patientTypes: ReadonlySet<string>,
): Access => {
  const { requestId, target, address, principal, form, error, returned, deniedPatientIds, mayBeWritten } =
    context;
  const { query, resourcePath, pathRoutes, exportPath, isEventStream } = target;
  const isOperation = exportPath !== null || isEventStream;
  const route = routeFor(request, pathRoutes);
  const [type = null] = pathRoutes.map((pathRoute) => pathRoute.type);
  const id = resourcePath === null || resourcePath.level === 'chart' ? '' : resourcePath.id;
  const asked =
    (type === commandType || type === correctionType ? resourceBehind(id) : null) ??
    ({ type, id: isDerivedId(id) ? id : null } as const);
  const outcome = outcomeOfStatus(response.status);
  const named = namedPatientIds({ resourcePath, query, form }, type !== null && patientTypes.has(type));
  return {
    by: principal?.subject ?? null,
    client: principal?.client ?? null,
    ...(principal?.agent && { agent: principal.agent }),
    address,
    interaction: isOperation ? 'operation' : route === undefined ? null : toAccessInteraction(route),
    resourceType: asked.type,
    id: asked.id,
    query: [query, form]
      .filter((part) => part !== '')
      .join('&')
      .slice(0, maxQuery),
    // A validation says something about the chart that its path names.
    returned: [
      ...(returned ?? []),
      ...(route?.isValidation ? [{ resources: [], searchedPatientIds: named }] : []),
    ],
    // Somebody who is not known could fill the audits of all charts.
    deniedPatientIds: principal === null ? [] : [...named, ...deniedPatientIds],
    mayBeWritten,
    outcome,
    rules: [...new Set(error?.issues.map(({ rule }) => rule))],
    status: response.status,
    requestId,
  };
};

/** Reports each request before its response is sent. If that fails, the response contains nothing of a chart. */
export const withAccessReport = (
  handle: HandleInContext,
  {
    reportAccess,
    reportError,
    resources,
  }: {
    readonly reportAccess: ReportAccess;
    readonly reportError: ReportError;
    readonly resources: readonly Pick<ServedResource, 'type' | 'isOnePerPatient'>[];
  },
): HandleInContext => {
  const ofPatients = resources.filter(({ isOnePerPatient }) => isOnePerPatient);
  /** The types whose ids are those of patients. */
  const patientTypes = new Set(['Patient', ...ofPatients.map(({ type }) => type)]);
  return async (request, context) => {
    const response = await handle(request, context);
    if (context.isPublic) return response;
    const error = await reportAccess(accessOf(request, context, response, patientTypes));
    if (error === null) return response;
    await response.stream?.return();
    if (isFailure(error)) reportError(error.cause, request, context);
    return errorResponse(httpErrorOf(error), context.errorMediaType);
  };
};
