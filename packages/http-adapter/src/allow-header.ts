import type { ClinicalError } from '@clinical-records/core';
import { type HttpError, httpErrorOf } from './http-error.ts';
import type { Route } from './routes.ts';

/** Adds what can be done instead, as a 405 always must. Source: RFC 9110, 15.5.6. */
export const withAllowHeader = (error: HttpError, routes: readonly Pick<Route, 'method'>[]): HttpError => {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return { ...error, headers: { allow: methods.join(', ') } };
};

/** Rules that a request breaks by its body. The same method may succeed with another body. */
const bodyDependentRules: readonly string[] = ['create-statement-only', 'entered-in-error-only'];

/** The error of a route for which other routes exist at the same path. */
export const routeErrorOf = (error: ClinicalError, route: Route, pathRoutes: readonly Route[]): HttpError => {
  const httpError = httpErrorOf(error);
  if (error._tag !== 'NotSupported') return httpError;
  const isOfBody = error.issues.some(({ rule }) => bodyDependentRules.includes(rule));
  return withAllowHeader(httpError, isOfBody ? pathRoutes : pathRoutes.filter((other) => other !== route));
};
