import { createIssueFactory } from '../errors.ts';

export const goalIssues = {
  'unknown-goal': 'There is no such goal.',
  'goal-not-committed': 'The goal command is not committed yet.',
  'goal-entered-in-error': 'The goal was entered in error.',
  'goal-closed': 'The goal is already closed.',
  'expressed-by-other': 'A goal is expressed by the author of its command, and by nobody else.',
} as const;

export type GoalRule = keyof typeof goalIssues;

export const goalIssue = createIssueFactory(goalIssues);
