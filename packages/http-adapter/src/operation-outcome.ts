import type { Problem } from './problem.ts';

/** The body of every error, as JSON text: one issue for each fault. Source: interface, "Errors". */
export const operationOutcome = ({ code, text, faults }: Problem): string =>
  JSON.stringify({
    resourceType: 'OperationOutcome',
    issue: faults.map(({ message, expression }) => ({
      severity: 'error',
      code,
      details: { text },
      diagnostics: message,
      ...(expression !== undefined && { expression: [expression] }),
    })),
  });
