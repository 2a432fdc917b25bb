import { errorCategories } from '../http-error.ts';
import { issueRuleSystem } from '../operation-outcome.ts';
import type { Route } from '../routes.ts';
import { contentOf, schemaRef } from './content.ts';
import { headerRefs } from './headers.ts';

const text = { type: 'string' } as const;

const ruleCoding = {
  type: 'object',
  properties: {
    system: { ...text, const: issueRuleSystem },
    code: { ...text, description: 'The name of the rule, for programs.' },
  },
  required: ['system', 'code'],
} as const;

/** The schema of the body that `operationOutcomeOf` returns. */
export const operationOutcomeSchema = {
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
          details: {
            type: 'object',
            properties: { coding: { type: 'array', items: ruleCoding }, text },
            required: ['coding', 'text'],
          },
          diagnostics: { ...text, description: 'A sentence about what is wrong.' },
          expression: {
            type: 'array',
            items: text,
            description: 'The element in FHIRPath, or `http.` and the name of a parameter.',
          },
        },
        required: ['severity', 'code', 'details', 'diagnostics'],
      },
    },
  },
  required: ['resourceType', 'issue'],
} as const;

const errorHeaders: Partial<Record<string, object>> = {
  Unauthenticated: headerRefs('WWW-Authenticate'),
  NotSupported: headerRefs('Allow'),
  TooManyRequests: headerRefs('Retry-After'),
};

type Limits = { readonly isLimitedInFlight: boolean };

const exampleOf = ({ code, text }: { readonly code: string; readonly text: string }) => ({
  resourceType: 'OperationOutcome',
  issue: [
    {
      severity: 'error',
      code,
      details: { coding: [{ system: issueRuleSystem, code: 'name-of-the-rule' }], text },
      diagnostics: 'A sentence about what is wrong.',
    },
  ],
});

/** The responses of all errors. Only a handler with `maxInFlight` has the 429. */
export const errorResponsesFor = ({ isLimitedInFlight }: Limits) =>
  Object.fromEntries(
    Object.entries(errorCategories)
      .filter(([name]) => isLimitedInFlight || name !== 'TooManyRequests')
      .map(([name, outcome]) => [
        name,
        {
          description: outcome.text,
          content: contentOf({ ...schemaRef('OperationOutcome'), examples: [exampleOf(outcome)] }),
          headers: errorHeaders[name] ?? headerRefs(),
        },
      ]),
  );

/** The responses of the errors that a route can have, by status. */
export const errorResponsesOf = ({ bodyFormat, errorTags }: Route, { isLimitedInFlight }: Limits) => {
  const names: readonly (keyof typeof errorCategories)[] = [
    'Unauthenticated',
    'Forbidden',
    ...errorTags,
    'NotAcceptable',
    ...(bodyFormat === 'nothing' ? [] : (['ContentTooLarge', 'UnsupportedMediaType'] as const)),
    ...(isLimitedInFlight ? (['TooManyRequests'] as const) : []),
    'Unexpected',
    'StoreFailure',
  ];
  return Object.fromEntries(
    names.map((name) => [errorCategories[name].status, { $ref: `#/components/responses/${name}` }]),
  );
};
