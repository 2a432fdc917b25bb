import type { ClinicalError, Issue, IssueRule } from '@clinical-records/core';
import { createIssueFactory, isSearchRule, issueRuleSystem } from '@clinical-records/core/adapter';

/** The response to an error. */
export type HttpError = {
  readonly status: number;
  /** The code of each issue, from FHIR's IssueType. */
  readonly code: string;
  readonly text: string;
  readonly issues: readonly Issue<Issue['rule'] | HttpRule>[];
  readonly headers?: Readonly<Record<string, string>>;
};

export const httpIssues = {
  'repeated-authorization': 'The request has more than one Authorization header.',
  'bearer-token': 'The request has no bearer token, or one that is not valid.',
  'authentication-unavailable': 'The caller cannot be authenticated at the moment. Nothing was changed.',
  'insufficient-scope': 'The caller has no scope that allows this request.',
  'agent-write':
    'An agent may read and stage commands. A practitioner decides about them. Nothing was changed.',
  'unknown-path': 'There is no resource at this path.',
  'unsupported-method': 'The method is not supported at this path.',
  'unsupported-interaction':
    'The interface does not support this interaction. `/metadata` lists those that it does.',
  'body-json': 'The body is not valid JSON in UTF-8.',
  'if-match-form': 'If-Match must be * or a list of ETags such as W/"1".',
  'unsupported-condition':
    'If-None-Match is not supported here, and If-None-Exist only with {requests}. Nothing was changed.',
  'validate-parameters':
    'A validation needs the resource as its body, or Parameters with `resource`, and `mode` if it is named. It takes nothing else.',
  'validate-mode': '`mode` must be `create` for a new resource, and `update` at the path of one.',
  'unsupported-media-type': 'Unsupported Content-Type, charset, fhirVersion or Content-Encoding.',
  'content-type-required':
    'A write in a session needs a Content-Type: application/json or application/fhir+json.',
  'not-acceptable':
    'Accept, or _format in its place, must allow application/json or application/fhir+json, of FHIR 4.0.',
  'body-size': 'The body is too large.',
  'too-many-parameters': 'The query or the form has too many parameters, or is too long.',
  'too-many-in-flight': 'Too many requests of the caller are running. Send it again when one has ended.',
  'too-many-streams': 'Too many event streams of the caller are open. Open one when another has ended.',
  'event-patient': 'The request needs `patient`, with the id of one patient, and nothing else.',
  'respond-async-required': 'An export needs the header Prefer: respond-async.',
  'export-parameter': 'The export does not support the parameter or its value.',
  'too-many-exports': 'Too many exports are running. Wait until one has ended, or delete one.',
  'unknown-export':
    'There is no such export. It has expired, was deleted, or made room for a later one of its client.',
  'export-failed': 'The export has failed. Begin another one.',
  'internal-error': 'Internal error.',
} as const;

/** The name of a rule that only HTTP knows. */
export type HttpRule = keyof typeof httpIssues;

export const httpIssue: (rule: HttpRule, expression?: string) => Issue<HttpRule> =
  createIssueFactory(httpIssues);

type ErrorCategory = Pick<HttpError, 'status' | 'code' | 'text'>;

/**
 * The HTTP status and code of each error. Source: docs/http-interface.md#errors and docs/decisions.md#status-codes.
 */
export const clinicalErrorCategories = {
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
  Misuse: { status: 500, code: 'exception', text: 'Internal server error' },
} as const satisfies Record<ClinicalError['_tag'], ErrorCategory>;

/** The same, with the errors that only HTTP has. */
export const errorCategories = {
  ...clinicalErrorCategories,
  NotAcceptable: { status: 406, code: 'not-supported', text: 'Not acceptable' },
  ContentTooLarge: { status: 413, code: 'too-costly', text: 'Content too large' },
  UnsupportedMediaType: { status: 415, code: 'not-supported', text: 'Unsupported media type' },
  TooManyRequests: { status: 429, code: 'throttled', text: 'Too many requests' },
  Unexpected: { status: 500, code: 'exception', text: 'Internal server error' },
} as const satisfies Record<string, ErrorCategory>;

/**
 * FHIR does not allow control characters in a string, but an id in a request may have them. Source: FHIR R4, Datatypes.
 */
const withoutControlCharacters = (id: string): string => id.replaceAll(/\p{Cc}/gu, '');

export const httpErrorOf = (error: ClinicalError): HttpError => ({
  ...clinicalErrorCategories[error._tag],
  ...(error._tag === 'NotFound' && {
    text: `Unknown ${error.resourceType} resource '${withoutControlCharacters(error.id)}'`,
  }),
  // Such as a clinic that moves to another server, for some seconds.
  ...(error._tag === 'StoreFailure' &&
    error.issues.some(({ rule }) => rule === 'store-not-writable') && { headers: { 'retry-after': '5' } }),
  // A client cannot change the program of the host, to which `onError` reports what is wrong.
  issues: error._tag === 'Misuse' ? [httpIssue('internal-error')] : error.issues,
});

const createHttpError = (
  category: keyof typeof errorCategories,
  rule: keyof typeof httpIssues,
  headers: Readonly<Record<string, string>> = {},
): HttpError => ({ ...errorCategories[category], issues: [httpIssue(rule)], headers });

/** The error of a body that cannot be read without doubt. */
export const invalidBody = (issues: HttpError['issues']): HttpError => ({
  ...errorCategories.InvalidRequest,
  issues,
});

/** The error of a parameter of an export. Its name is shown only if it looks like one. */
export const invalidExportParameter = (name: string): HttpError => ({
  ...errorCategories.InvalidRequest,
  issues: [httpIssue('export-parameter', /^[\w.-]{1,64}$/.test(name) ? name : undefined)],
});

const listOf = (type: Intl.ListFormatType, items: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type }).format(items);

/** The error of a request that the scopes of the caller do not allow. It names the scopes that would: one of them, or all. */
export const insufficientScope = (scopes: readonly string[], needs: 'one' | 'all' = 'one'): HttpError => {
  const issue = httpIssue('insufficient-scope');
  const list = listOf(needs === 'one' ? 'disjunction' : 'conjunction', scopes);
  const message = `${issue.message} It needs ${list}.`;
  return { ...errorCategories.Forbidden, issues: [{ ...issue, message }] };
};

/** The error of a condition that a request does not have. It names those that create a resource only if there is none. */
export const createUnsupportedCondition = (creates: readonly string[]): HttpError => {
  const issue = httpIssue('unsupported-condition');
  const message = issue.message.replace('{requests}', listOf('disjunction', creates));
  return { ...errorCategories.InvalidRequest, issues: [{ ...issue, message }] };
};

export const twoAuthorizations = createHttpError('InvalidRequest', 'repeated-authorization');
export const unauthenticated = createHttpError('Unauthenticated', 'bearer-token', {
  'www-authenticate': 'Bearer',
});
export const authenticationUnavailable = createHttpError('StoreFailure', 'authentication-unavailable');
/** The error of an agent that would put something into effect. */
export const agentWrite = createHttpError('Forbidden', 'agent-write');
export const pathNotFound = createHttpError('NotFound', 'unknown-path');
export const methodNotAllowed = createHttpError('NotSupported', 'unsupported-method');
/** The error of an interaction of FHIR that is not served. No method is allowed at its path. */
export const interactionNotSupported = createHttpError('NotSupported', 'unsupported-interaction', {
  allow: '',
});
export const invalidJson = createHttpError('InvalidRequest', 'body-json');
export const malformedIfMatch = createHttpError('InvalidRequest', 'if-match-form');
export const notAcceptable = createHttpError('NotAcceptable', 'not-acceptable');
export const bodyTooLarge = createHttpError('ContentTooLarge', 'body-size', { connection: 'close' });
export const unsupportedMediaType = createHttpError('UnsupportedMediaType', 'unsupported-media-type');
export const untypedWrite = createHttpError('UnsupportedMediaType', 'content-type-required');
export const tooManyParameters = createHttpError('InvalidRequest', 'too-many-parameters');
export const tooManyInFlight = createHttpError('TooManyRequests', 'too-many-in-flight', {
  'retry-after': '1',
});
export const tooManyStreams = createHttpError('TooManyRequests', 'too-many-streams', { 'retry-after': '30' });
export const eventsWithoutPatient = createHttpError('InvalidRequest', 'event-patient');
export const asyncRequired = createHttpError('InvalidRequest', 'respond-async-required');
/** The error of an export beyond those that may run, and in how many seconds one of them will have ended. */
export const tooManyExports = (seconds: number): HttpError =>
  createHttpError('TooManyRequests', 'too-many-exports', { 'retry-after': `${seconds}` });
export const unknownExport = createHttpError('NotFound', 'unknown-export');
export const exportFailed = createHttpError('Unexpected', 'export-failed');
export const internalError = createHttpError('Unexpected', 'internal-error');

/** The name of the rule that an issue is about, in `details.coding`. */
export type IssueRuleCoding = {
  /** The code system of the rules: that of the library, or of the host. */
  readonly system: typeof issueRuleSystem | (string & {});
  /** The stable name of the rule, for programs. Source: docs/errors.md. */
  readonly code: IssueRule | HttpRule | (string & {});
};

/** The status of a response in words, and the rule that an issue is about. */
export type IssueDetails = {
  /** The rule. */
  readonly coding: readonly [IssueRuleCoding];
  /** The status in words, such as `Bad request`. */
  readonly text: string;
};

/** One thing that is wrong with a request. */
export type OutcomeIssue = {
  /** Always `error`. */
  readonly severity: 'error';
  /** A code of FHIR's IssueType, such as `business-rule`. */
  readonly code: string;
  /** The rule, and the status in words. */
  readonly details: IssueDetails;
  /** A sentence about what is wrong. */
  readonly diagnostics: string;
  /** The element in FHIRPath, or `http.` and the name of a parameter. */
  readonly expression?: readonly [string];
};

/** FHIR R4's OperationOutcome, as far as it is used. */
export type OperationOutcome = {
  readonly resourceType: 'OperationOutcome';
  /** One issue for each thing that is wrong, at least one. */
  readonly issue: readonly OutcomeIssue[];
};

/** The status and the body for a `ClinicalError`. */
export type OutcomeResponse = {
  /** The status code, such as 422. */
  readonly status: (typeof clinicalErrorCategories)[ClinicalError['_tag']]['status'];
  /** The body. */
  readonly outcome: OperationOutcome;
};

/** A parameter is named with a prefix. Source: FHIR R4, OperationOutcome.issue.expression. */
const toOutcomeExpression = (rule: string, expression: string): string =>
  isSearchRule(rule) || rule === 'export-parameter' ? `http.${expression}` : expression;

/** Shows an issue in an OperationOutcome. */
export const createOutcomeIssue =
  <Severity extends 'error' | 'warning'>(
    severity: Severity,
    { code, text }: Pick<ErrorCategory, 'code' | 'text'>,
  ) =>
  ({ rule, message, expression, system = issueRuleSystem }: Issue<string>) => ({
    severity,
    code,
    details: { coding: [{ system, code: rule }] as const, text },
    diagnostics: message,
    ...(expression !== undefined && {
      expression: [system === issueRuleSystem ? toOutcomeExpression(rule, expression) : expression] as const,
    }),
  });

/** The body of every error, with one issue for each issue of the error. Source: docs/http-interface.md#errors. */
export const operationOutcomeOf = ({ code, text, issues }: HttpError): OperationOutcome => ({
  resourceType: 'OperationOutcome',
  issue: issues.map(createOutcomeIssue('error', { code, text })),
});

/**
 * The status and the OperationOutcome that the interface responds with to an error, for routes of your own.
 * The cause of a `StoreFailure` or a `Misuse` is not in it: log that.
 *
 * @example
 * const { status, outcome } = outcomeOf(thrown.error); // of a ClinicalRecordsError
 * response.status(status).json(outcome);
 */
export const outcomeOf = (error: ClinicalError): OutcomeResponse => ({
  status: clinicalErrorCategories[error._tag].status,
  outcome: operationOutcomeOf(httpErrorOf(error)),
});
