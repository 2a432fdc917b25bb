import type { ClinicalError, ResourceVersion } from '@clinical-records/core';
import { commandType } from '../access/scopes.ts';
import { createOutcomeIssue, type HttpError, httpErrorOf, operationOutcomeOf } from '../errors.ts';
import type { HttpResponse, MediaType, WriteReturn } from '../http.ts';
import type { Route, RouteResult } from '../routes/route.ts';

/** Formats an instant as an HTTP-date, which has no fractions of a second. Source: RFC 9110, 5.6.7. */
export const formatHttpDate = (milliseconds: number): string => new Date(milliseconds).toUTCString();

/** Adds what can be done instead, as a 405 always must. Source: RFC 9110, 15.5.6. */
export const withAllowHeader = (error: HttpError, routes: readonly Pick<Route, 'method'>[]): HttpError => {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return { ...error, headers: { allow: methods.join(', ') } };
};

/** The error of a route for which other routes exist at the same path. */
export const routeErrorOf = (error: ClinicalError, route: Route, pathRoutes: readonly Route[]): HttpError => {
  const httpError = httpErrorOf(error);
  if (error._tag !== 'NotSupported') return httpError;
  return withAllowHeader(
    httpError,
    error.dependsOnBody ? pathRoutes : pathRoutes.filter((pathRoute) => pathRoute !== route),
  );
};

/** Keeps a browser from guessing another type. Source: Fetch Standard, 3.6. */
const noGuessHeaders = { 'x-content-type-options': 'nosniff' } as const;

export const contentTypeHeaders = (mediaType: MediaType) => ({
  ...noGuessHeaders,
  'content-type': mediaType,
});

/**
 * The headers of every response that may have data of a chart, even an error: no cache may keep it. Without
 * `Cache-Control` a cache may, if there is a `Last-Modified`. Source: RFC 9111, 4.2.2 and 5.2.2.5.
 */
export const uncachedHeaders = { ...noGuessHeaders, 'cache-control': 'no-store' } as const;

export const errorResponse = (error: HttpError, mediaType: MediaType): HttpResponse => ({
  status: error.status,
  headers: { ...uncachedHeaders, 'content-type': mediaType, ...error.headers },
  body: JSON.stringify(operationOutcomeOf(error)),
});

const versionHeaders = ({ version, lastModified }: ResourceVersion) => ({
  ...uncachedHeaders,
  etag: `W/"${version}"`,
  'last-modified': formatHttpDate(lastModified),
});

/** The response to a read whose client has the version already. Source: RFC 9110, 15.4.5. */
const notModifiedResponse = (version: ResourceVersion): HttpResponse => ({
  status: 304,
  headers: versionHeaders(version),
  body: '',
});

/** The outcome of a write that succeeded. Source: FHIR R4, RESTful API, 3.1.0.1.6. */
const renderOutcome = (status: number, { isExisting, warnings = [] }: ResourceVersion): string => {
  const existing = 'Nothing was created, because there is such a resource.';
  const [text, diagnostics] =
    status === 201
      ? ['Created', 'The resource was created.']
      : ['OK', isExisting ? existing : 'The request was carried out.'];
  return JSON.stringify({
    resourceType: 'OperationOutcome',
    issue: [
      { severity: 'information', code: 'informational', details: { text }, diagnostics },
      ...warnings.map(createOutcomeIssue('warning', { code: 'business-rule', text })),
    ],
  });
};

export const successResponse = (
  result: RouteResult,
  {
    mediaType,
    returns,
    isPreferred,
    minimalBody,
    isKnown,
    base,
    route,
  }: {
    readonly mediaType: MediaType;
    /** The content of the response to a write. */
    readonly returns: WriteReturn;
    /** Whether the client prefers that. */
    readonly isPreferred: boolean;
    /** The body of the response to a write that does not show the resource. */
    readonly minimalBody: 'null' | '';
    /** Whether the client of a read has the version already. */
    readonly isKnown: boolean;
    /** The URL of the interface, or its path. */
    readonly base: string;
    readonly route: Route;
  },
): HttpResponse => {
  if (typeof result === 'string') {
    return { status: 200, headers: { ...uncachedHeaders, 'content-type': mediaType }, body: result };
  }
  if (isKnown) return notModifiedResponse(result);
  const { type, interaction, method } = route;
  const isCreate = interaction === 'create';
  const status = isCreate && !result.isExisting ? 201 : 200;
  const bodies = {
    minimal: () => minimalBody,
    representation: () => result.json,
    OperationOutcome: () => renderOutcome(status, result),
  };
  const body = method === 'GET' ? result.json : bodies[returns]();
  const location = `${base}/${type === commandType ? 'commands' : type}/${result.id}`;
  const headers = {
    ...versionHeaders(result),
    ...(body !== '' && { 'content-type': mediaType }),
    ...(isCreate && { location }),
    ...(result.warnings && { 'x-warning-count': `${result.warnings.length}` }),
    ...(method !== 'GET' && isPreferred && { 'preference-applied': `return=${returns}` }),
  };
  return { status, headers, body };
};
