import { createIssueFactory } from '../errors.ts';

export const goalIssues = {
  'unknown-goal': 'There is no such goal.',
  'goal-not-committed': 'The goal command is not committed yet.',
  'goal-entered-in-error': 'The goal was entered in error.',
  'goal-closed': 'The goal is already closed.',
  'staged-goal-differs': 'The goal was staged with another value, and a commit does not change it.',
  'practitioner-only': 'Only a practitioner who is known here can commit a goal.',
} as const;

export const goalIssue = createIssueFactory(goalIssues);
