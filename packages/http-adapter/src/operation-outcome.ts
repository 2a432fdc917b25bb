import type { HttpError } from './http-error.ts';

/**
 * The body of every error as JSON text, with one issue for each issue of the error. Source: `docs/http-interface.md`,
 * "Errors".
 */
export const operationOutcomeOf = ({ code, text, issues }: HttpError): string =>
  JSON.stringify({
    resourceType: 'OperationOutcome',
    issue: issues.map(({ message, expression }) => ({
      severity: 'error',
      code,
      details: { text },
      diagnostics: message,
      ...(expression !== undefined && { expression: [expression] }),
    })),
  });
