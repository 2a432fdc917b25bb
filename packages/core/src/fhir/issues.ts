import { createIssueFactory, type Issue } from '../errors.ts';

export const bodyIssues = {
  required: 'A required element is missing.',
  type: 'The element has the wrong JSON type.',
  value: 'The value is not one of the allowed values.',
  id: 'Must be an id: 1 to 64 letters, digits, "-" or ".", without a type such as Patient/ before it.',
  date: 'Must be a date of the calendar, such as 2026-03-01, or a month or a year, such as 2026-03.',
  'date-time': 'Must be a date such as 2026-03-01, or a date and time such as 2026-03-01T09:30:00-05:00.',
  'time-offset': 'A time needs seconds and an offset, such as 2026-03-01T09:30:00-05:00.',
  empty: 'The element is empty.',
  many: 'The element occurs too many times.',
  text: 'The text contains characters that FHIR does not allow, or is not valid Unicode.',
  'unknown-element': 'FHIR does not define this element here.',
  'not-stored': 'The element is not stored, and the request asks for strict handling.',
  'modifier-extension': 'A modifier extension changes the meaning of the rest and cannot be dropped.',
  'implicit-rules': 'implicitRules may change the meaning of the resource and cannot be ignored.',
} as const;

export type BodyRule = keyof typeof bodyIssues;

export const bodyIssue = createIssueFactory(bodyIssues);

export const isBodyRule = (rule: unknown): rule is BodyRule => typeof rule === 'string' && rule in bodyIssues;

export const sourceIssues = {
  'left-out': 'The element could not be imported and was left out.',
} as const;

const sourceIssue = createIssueFactory(sourceIssues);

/** The issue for an element of an imported resource that was left out. */
export const leftOutIssue = (expression: string): Issue => sourceIssue('left-out', expression);
