import { type OutcomeIssue, RequestError } from '@clinical-records/client';

/** The meaning of a refusal for somebody who works with the chart, by FHIR's type of the issue. A rule of the clinic has its own words. */
const byType: Readonly<Record<string, string>> = {
  unknown: 'You were signed out before this was sent. Send it again.',
  forbidden: 'You may not do this. Ask those who give access to the records.',
  'not-found': 'The records do not have this, or you may not see it.',
  conflict: 'Somebody else has changed this meanwhile. Look at it again, and decide again.',
  'too-costly': 'This is too much at once. Ask for less.',
  transient:
    'The records cannot do this at the moment. Look in the chart whether it was done, then try again.',
  exception: 'Something went wrong. Look in the chart whether it was done before you try again.',
};

const notAccepted = 'The records do not accept this. Check it, or leave it empty.';

const decidedMeanwhile = 'Somebody has decided about this draft meanwhile. Read the chart again.';

/** The rules of the library whose sentences are for programs. */
const byRule: Readonly<Record<string, string>> = {
  'idempotency-key-reused':
    'The first request was recorded, although its response was lost. Look at it in the chart before you record more.',
  'not-staged': decidedMeanwhile,
  'not-discardable': decidedMeanwhile,
  'not-committed': 'This is a draft, or is entered in error already.',
  'not-active': 'This order is not active any more. Read the chart again.',
  'practitioner-only': 'Only a practitioner can do this. Sign in as one.',
  'too-many-staged': 'The goal has too many drafts. Commit or discard some of them first.',
  'record-full': 'The record is full. Begin a new one.',
  'goal-not-committed': 'The goal is still a draft. Commit it first.',
  'role-not-configured': 'Choose a role from the list.',
  'new-in-error': notAccepted,
  'in-error': 'This is entered in error, and does not change any more.',
  'chart-differs': 'This belongs to the chart of another patient.',
  'replaced-patient': 'This chart was merged into another one. Go on in that one.',
};

/** The sentences about what is typed that are in plain words. */
const plainRules = ['text-length', 'element-length', 'text', 'in-the-future'];

const ownRules = 'urn:clinical-records:issue-rule';

/** The sentence of an issue in the words of the chart. */
export const issueWords = ({ code, details, diagnostics = '' }: OutcomeIssue): string => {
  const { system, code: rule = '' } = details?.coding?.[0] ?? {};
  if (system !== ownRules) return diagnostics || (byType[code] ?? notAccepted);
  const words = byRule[rule] ?? byType[code];
  if (words !== undefined) return words;
  return code === 'business-rule' || plainRules.includes(rule) ? diagnostics : notAccepted;
};

/** Why a request failed, in the words of the chart. */
export const errorWords = (cause: unknown): string => {
  if (!(cause instanceof RequestError)) return (cause as Error).message;
  const [issue] = cause.issues;
  if (issue !== undefined) return issueWords(issue);
  return cause.status >= 500 ? (byType.exception ?? '') : notAccepted;
};
