import type { ClinicalError, IssueRule } from '@clinical-records/core';
import { clinicalErrorCategories, type HttpError, type HttpRule, httpErrorOf } from './http-error.ts';

/** The code system of the rules that issues are about. Source: docs/errors.md. */
export const issueRuleSystem = 'urn:clinical-records:issue-rule';

/** FHIR R4's OperationOutcome, as far as it is used: one issue for each thing that is wrong. */
export type OperationOutcome = {
  readonly resourceType: 'OperationOutcome';
  readonly issue: readonly {
    readonly severity: 'error';
    /** A code of FHIR's IssueType, such as `business-rule`. */
    readonly code: string;
    readonly details: {
      readonly coding: readonly [
        { readonly system: typeof issueRuleSystem; readonly code: IssueRule | HttpRule },
      ];
      readonly text: string;
    };
    /** A sentence about what is wrong. */
    readonly diagnostics: string;
    /** The element in FHIRPath, or `http.` and the name of a parameter. */
    readonly expression?: readonly [string];
  }[];
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
export const outcomeOf = (error: ClinicalError) => ({
  status: clinicalErrorCategories[error._tag].status,
  outcome: operationOutcomeOf(httpErrorOf(error)),
});
