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
  token: 'The request carries no bearer token, or one that is not valid.',
  scope: 'The token has no scope for this.',
  path: 'There is nothing at this path.',
  method: 'The resource does not have this method.',
  json: 'The body is not JSON in UTF-8.',
  'if-match-form': 'If-Match is neither a star nor a list of ETags such as W/"1".',
  'media-type': 'The body is of no type that is taken here, or not in UTF-8, or encoded.',
  'not-acceptable': 'Only application/json and application/fhir+json are offered.',
  'body-size': 'The body is larger than what is taken.',
  unexpected: 'Something went wrong here that should not have.',
} as const;

export const httpFault = faultsOf(httpRules);

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
  StoreFailure: { status: 503, code: 'transient', text: 'Service unavailable' },
} as const satisfies Record<ClinicalError['_tag'], Omit<Problem, 'faults'>>;

export const problemOf = (error: ClinicalError): Problem => ({
  ...problems[error._tag],
  ...(error._tag === 'NotFound' && { text: `Unknown ${error.resourceType} resource '${error.id}'` }),
  faults: error.faults,
});

type HttpRule = keyof typeof httpRules;
type Tag = keyof typeof problems;

const ofTag = (tag: Tag, rule: HttpRule, headers: Readonly<Record<string, string>> = {}): Problem => ({
  ...problems[tag],
  faults: [httpFault(rule)],
  headers,
});

export const unauthenticated = ofTag('Unauthenticated', 'token', { 'www-authenticate': 'Bearer' });
export const outOfScope = ofTag('Forbidden', 'scope');
export const nothingThere = ofTag('NotFound', 'path');
export const notJson = ofTag('InvalidRequest', 'json');
export const malformedIfMatch = ofTag('InvalidRequest', 'if-match-form');

/** Source: RFC 9110, 15.5.6: what is allowed instead is always said. */
export const notAllowed = (allow: string): Problem => ofTag('NotSupported', 'method', { allow });

const beyondInterface = (status: number, code: string, text: string, rule: HttpRule): Problem => ({
  status,
  code,
  text,
  faults: [httpFault(rule)],
});

export const notAcceptable = beyondInterface(406, 'not-supported', 'Not acceptable', 'not-acceptable');
export const tooLarge = {
  ...beyondInterface(413, 'too-costly', 'Content too large', 'body-size'),
  headers: { connection: 'close' },
};
export const unsupportedMediaType = beyondInterface(
  415,
  'not-supported',
  'Unsupported media type',
  'media-type',
);
export const unexpected = beyondInterface(500, 'exception', 'Internal server error', 'unexpected');
