import type { ClinicalError, IssueRule } from '@clinical-records/core';
import { clinicalErrorCategories, type HttpError, type HttpRule, httpErrorOf } from './http-error.ts';

/** The code system of the rules that issues are about. Source: docs/errors.md. */
export const issueRuleSystem = 'urn:clinical-records:issue-rule';

/** A coding of the rule that an issue is about. */
export type IssueRuleCoding = {
  /** The code system of the rules. */
  readonly system: typeof issueRuleSystem;
  /** The stable name of the rule, for programs. Source: docs/errors.md. */
  readonly code: IssueRule | HttpRule;
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

/** A response to an error. */
export type OutcomeResponse = {
  /** The status code, such as 422. */
  readonly status: (typeof clinicalErrorCategories)[ClinicalError['_tag']]['status'];
  /** The body. */
  readonly outcome: OperationOutcome;
};

/** The body of every error, with one issue for each issue of the error. Source: docs/http-interface.md#errors. */
export const operationOutcomeOf = ({ code, text, issues }: HttpError): OperationOutcome => ({
  resourceType: 'OperationOutcome',
  issue: issues.map(({ rule, message, expression }) => ({
    severity: 'error',
    code,
    details: { coding: [{ system: issueRuleSystem, code: rule }], text },
    diagnostics: message,
    ...(expression !== undefined && { expression: [expression] }),
  })),
});

/**
 * The status and the OperationOutcome that the interface responds with to an error, for routes of your own.
 * The cause of a `StoreFailure` is not in it: log that.
 *
 * @example
 * const { status, outcome } = outcomeOf(thrown.error); // of a ClinicalRecordsError
 * response.status(status).json(outcome);
 */
export const outcomeOf = (error: ClinicalError): OutcomeResponse => ({
  status: clinicalErrorCategories[error._tag].status,
  outcome: operationOutcomeOf(httpErrorOf(error)),
});
