import { expect } from 'vitest';
import type { ParsedResponse } from './clinic.ts';

/** Source: docs/http-interface.md#errors and docs/decisions.md#status-codes. A 404 for a resource names it, too. */
export const errorTexts: Readonly<Record<number, readonly [code: string, text: string]>> = {
  400: ['invalid', 'Bad request'],
  401: ['unknown', 'Authentication failed'],
  403: ['forbidden', 'Authorization failed'],
  404: ['not-found', 'Unknown resource'],
  405: ['not-supported', 'Operation is not supported'],
  406: ['not-supported', 'Not acceptable'],
  412: ['conflict', 'Resource updated since If-Unmodified-Since date'],
  413: ['too-costly', 'Content too large'],
  415: ['not-supported', 'Unsupported media type'],
  422: ['business-rule', 'Unprocessable entity'],
  429: ['throttled', 'Too many requests'],
  500: ['exception', 'Internal server error'],
  503: ['transient', 'Service unavailable'],
};

const issue = (code: string, text: string, expression?: string) => ({
  severity: 'error',
  code,
  details: {
    coding: [{ system: 'urn:clinical-records:issue-rule', code: expect.stringMatching(/^[a-z][a-z-]+$/) }],
    text,
  },
  diagnostics: expect.stringMatching(/^[A-Z].+\.$/),
  ...(expression !== undefined && { expression: [expression] }),
});

/** Expects an exact error: one issue for each invalid element, or one issue without an element. */
export const expectError = (answer: ParsedResponse, status: number, ...expressions: string[]): void => {
  const [code = '', text = ''] = errorTexts[status] ?? [];
  const issues =
    expressions.length === 0
      ? [issue(code, text)]
      : expressions.map((expression) => issue(code, text, expression));
  expect({ status: answer.status, body: answer.json }).toEqual({
    status,
    body: { resourceType: 'OperationOutcome', issue: issues },
  });
  expect(answer.headers['content-type']).toBe('application/json');
};

export const expectNotFound = (answer: ParsedResponse, resourceType: string, id: string): void => {
  expect({ status: answer.status, body: answer.json }).toEqual({
    status: 404,
    body: {
      resourceType: 'OperationOutcome',
      issue: [issue('not-found', `Unknown ${resourceType} resource '${id}'`)],
    },
  });
};

/** The elements of a resource besides `meta`, which every version has. */
export const withoutMeta = ({ meta, ...elements }: { readonly meta: object }) => {
  expect(meta).toMatchObject({
    versionId: expect.stringMatching(/^[1-9]\d*$/),
    lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
  });
  return elements;
};

/** That a write succeeded with the null body of the interface. */
export const expectNullBody = (answer: ParsedResponse, status: number): void => {
  expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
    status,
    'null',
    'application/json',
  ]);
};

/** The ids of the resources on a page. */
export const idsOf = (answer: ParsedResponse): string[] => {
  expect(answer.status).toBe(200);
  type Entry = { readonly resource: { readonly id: string }; readonly search?: { readonly mode: string } };
  const entries: readonly Entry[] = answer.json.entry ?? [];
  return entries.flatMap(({ resource, search }) => (search?.mode === 'outcome' ? [] : [resource.id]));
};

/** The URL of a link of a bundle. */
export const linkOf = (answer: ParsedResponse, relation: string): string | undefined =>
  answer.json.link.find((link: { relation: string }) => link.relation === relation)?.url;

type DisplayedReference = { readonly reference: string; readonly display: string };
type DisplayedTeam = { readonly participant?: readonly { readonly member: DisplayedReference }[] };

export const membersOf = ({ participant = [] }: DisplayedTeam): string[] =>
  participant.map(({ member }) => member.reference);

/** The names under which the members of a team show. */
export const namesOf = ({ participant = [] }: DisplayedTeam): string[] =>
  participant.map(({ member }) => member.display);

/** The value of an `_after` as a client could write it. */
export const cursorOf = (...parts: readonly unknown[]): string =>
  btoa(JSON.stringify(parts)).replaceAll('=', '');
