import type { ClinicalError } from '@clinical-records/core';
import { type HttpError, httpErrorOf } from './http-error.ts';
import type { Route } from './routes.ts';

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
    error.dependsOnBody ? pathRoutes : pathRoutes.filter((other) => other !== route),
  );
};
