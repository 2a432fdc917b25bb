import type { ClinicalError } from '@clinical-records/core';
import { type Problem, problemOf } from './problem.ts';
import type { Route } from './routes.ts';

/** A problem that says what can be done instead, as a 405 always does. Source: RFC 9110, 15.5.6. */
export const allowing = (problem: Problem, routes: readonly Pick<Route, 'method'>[]): Problem => {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return { ...problem, headers: { allow: methods.join(', ') } };
};

/** Rules against what a body asks for: with another body, the same method may do. */
const rulesOfBodies: readonly string[] = ['create-statement-only', 'entered-in-error-only'];

/** What a route refused, at a place where other routes are, too. */
export const refusalOf = (error: ClinicalError, route: Route, here: readonly Route[]): Problem => {
  const problem = problemOf(error);
  if (error._tag !== 'NotSupported') return problem;
  const isOfBody = error.faults.some(({ rule }) => rulesOfBodies.includes(rule));
  return allowing(problem, isOfBody ? here : here.filter((other) => other !== route));
};
