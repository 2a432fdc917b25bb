import { type ClinicalError, type Fault, faultsOf } from '@clinical-records/core';

/** What is answered when something is wrong. */
export type Problem = {
  readonly status: number;
  /** The code of each issue, from FHIR's IssueType. */
  readonly code: string;
  readonly text: string;
  readonly faults: readonly Fault[];
  readonly headers?: Readonly<Record<string, string>>;
};

export const httpRules = {
  'one-authorization': 'The request has more than one Authorization header.',
  token: 'The request carries no bearer token, or one that is not valid.',
  scope: 'The token has no scope for this.',
  path: 'There is nothing at this path.',
  method: 'The resource does not have this method.',
  json: 'The body is not JSON in UTF-8.',
  'if-match-form': 'If-Match is neither a star nor a list of ETags such as W/"1".',
  'condition-not-checked': 'The request has a condition that is not checked here: nothing was changed.',
  'media-type': 'The body is of no type that is taken here, or not in UTF-8, or encoded.',
  'not-acceptable': 'Only application/json and application/fhir+json are offered.',
  'body-size': 'The body is larger than what is taken.',
  unexpected: 'Something went wrong here that should not have.',
} as const;

const httpFault = faultsOf(httpRules);

type Outcome = Pick<Problem, 'status' | 'code' | 'text'>;

/** From what went wrong to what HTTP says of it. Source: interface, "Errors", and docs/decisions.md, "Status codes". */
export const problems = {
  InvalidRequest: { status: 400, code: 'invalid', text: 'Bad request' },
  Unauthenticated: { status: 401, code: 'unknown', text: 'Authentication failed' },
  Forbidden: { status: 403, code: 'forbidden', text: 'Authorization failed' },
  NotFound: { status: 404, code: 'not-found', text: 'Unknown resource' },
  NotSupported: { status: 405, code: 'not-supported', text: 'Operation is not supported' },
  PreconditionFailed: {
    status: 412,
    code: 'conflict',
    text: 'Resource updated since If-Unmodified-Since date',
  },
  RuleViolation: { status: 422, code: 'business-rule', text: 'Unprocessable entity' },
  TooCostly: { status: 422, code: 'too-costly', text: 'Unprocessable entity' },
  StoreFailure: { status: 503, code: 'transient', text: 'Service unavailable' },
} as const satisfies Record<ClinicalError['_tag'], Outcome>;

/** The same, with what only HTTP knows. */
export const outcomes = {
  ...problems,
  NotAcceptable: { status: 406, code: 'not-supported', text: 'Not acceptable' },
  ContentTooLarge: { status: 413, code: 'too-costly', text: 'Content too large' },
  UnsupportedMediaType: { status: 415, code: 'not-supported', text: 'Unsupported media type' },
  Unexpected: { status: 500, code: 'exception', text: 'Internal server error' },
} as const satisfies Record<string, Outcome>;

/** An id that a request names, as FHIR R4, Datatypes, has it in a string: without control characters. */
const shown = (id: string): string => id.replaceAll(/\p{Cc}/gu, '');

export const problemOf = (error: ClinicalError): Problem => ({
  ...problems[error._tag],
  ...(error._tag === 'NotFound' && { text: `Unknown ${error.resourceType} resource '${shown(error.id)}'` }),
  faults: error.faults,
});

const problem = (
  outcome: keyof typeof outcomes,
  rule: keyof typeof httpRules,
  headers: Readonly<Record<string, string>> = {},
): Problem => ({ ...outcomes[outcome], faults: [httpFault(rule)], headers });

export const authorizedTwice = problem('InvalidRequest', 'one-authorization');
export const unauthenticated = problem('Unauthenticated', 'token', { 'www-authenticate': 'Bearer' });
export const outOfScope = problem('Forbidden', 'scope');
export const nothingThere = problem('NotFound', 'path');
export const wrongMethod = problem('NotSupported', 'method');
export const notJson = problem('InvalidRequest', 'json');
export const malformedIfMatch = problem('InvalidRequest', 'if-match-form');
export const uncheckedCondition = problem('InvalidRequest', 'condition-not-checked');
export const notAcceptable = problem('NotAcceptable', 'not-acceptable');
export const tooLarge = problem('ContentTooLarge', 'body-size', { connection: 'close' });
export const unsupportedMediaType = problem('UnsupportedMediaType', 'media-type');
export const unexpected = problem('Unexpected', 'unexpected');
