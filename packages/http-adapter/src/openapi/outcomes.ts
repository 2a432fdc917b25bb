import { outcomes } from '../problem.ts';
import type { Route } from '../routes.ts';
import { content, schemaRef } from './content.ts';
import { headerRefs } from './headers.ts';

const text = { type: 'string' } as const;

/** What `operationOutcome` makes. */
export const outcomeSchema = {
  type: 'object',
  properties: {
    resourceType: { ...text, const: 'OperationOutcome' },
    issue: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          severity: { ...text, const: 'error' },
          code: text,
          details: { type: 'object', properties: { text }, required: ['text'] },
          diagnostics: { ...text, description: 'What is wrong, in a sentence.' },
          expression: {
            type: 'array',
            items: text,
            description: 'The element at fault in FHIRPath, or `http.` and the name of a parameter.',
          },
        },
        required: ['severity', 'code', 'details', 'diagnostics'],
      },
    },
  },
  required: ['resourceType', 'issue'],
} as const;

const headersOf: Partial<Record<string, object>> = {
  Unauthenticated: headerRefs('WWW-Authenticate'),
  NotSupported: headerRefs('Allow'),
};

const example = ({ code, text }: { readonly code: string; readonly text: string }) => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code, details: { text }, diagnostics: 'What is wrong, in a sentence.' }],
});

/** The answer to each thing that can go wrong. */
export const outcomeResponses = Object.fromEntries(
  Object.entries(outcomes).map(([name, outcome]) => [
    name,
    {
      description: outcome.text,
      content: content({ ...schemaRef('OperationOutcome'), examples: [example(outcome)] }),
      headers: headersOf[name] ?? headerRefs(),
    },
  ]),
);

/** What can go wrong on a route, by status. */
export const outcomesOf = ({ takes, refusals }: Route) => {
  const names: readonly (keyof typeof outcomes)[] = [
    'Unauthenticated',
    'Forbidden',
    ...refusals,
    'NotAcceptable',
    ...(takes === 'nothing' ? [] : (['ContentTooLarge', 'UnsupportedMediaType'] as const)),
    'Unexpected',
    'StoreFailure',
  ];
  return Object.fromEntries(
    names.map((name) => [outcomes[name].status, { $ref: `#/components/responses/${name}` }]),
  );
};
