import { createIssueFactory, type Issue } from '../errors.ts';

export const bodyIssues = {
  required: 'A required element is missing.',
  type: 'The element has another JSON type than it should.',
  value: 'The value is none of those that are allowed here.',
  id: 'Must be an id: 1 to 64 letters, digits, "-" or ".", without a type such as Patient/ before it.',
  date: 'Must be a date of the calendar, such as 2026-03-01, or a month or a year, such as 2026-03.',
  'date-time': 'Must be a date such as 2026-03-01, or a date and time such as 2026-03-01T09:30:00-05:00.',
  'time-offset': 'A time needs seconds and an offset, such as 2026-03-01T09:30:00-05:00.',
  empty: 'The element is empty.',
  many: 'There are more of the element than there can be.',
  text: 'The text holds characters that FHIR does not allow, or is no Unicode.',
  'unknown-element': 'FHIR defines no such element here.',
  'not-stored': 'The element is not stored, and the request asks for strict handling.',
  'modifier-extension': 'A modifier extension changes the meaning of the rest and cannot be dropped.',
  'implicit-rules': 'Rules of its own may change the meaning of the rest and cannot be dropped.',
} as const;

export type BodyRule = keyof typeof bodyIssues;

export const bodyIssue = createIssueFactory(bodyIssues);

export const isBodyRule = (rule: unknown): rule is BodyRule => typeof rule === 'string' && rule in bodyIssues;

export const sourceIssues = {
  'left-out': 'Nothing in the element can be kept, and it was left out.',
} as const;

const sourceIssue = createIssueFactory(sourceIssues);

/** An element of another system's resource that was left out of what was taken. */
export const leftOutIssue = (expression: string): Issue => sourceIssue('left-out', expression);
