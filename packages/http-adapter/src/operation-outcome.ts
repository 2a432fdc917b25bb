import type { HttpError } from './http-error.ts';

/** The body of every error, as JSON text: one issue for each fault. Source: interface, "Errors". */
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
