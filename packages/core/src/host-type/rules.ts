import { createIssueFactory } from '../errors.ts';

export const hostTypeIssues = {
  'new-in-error': 'A new resource cannot be entered in error.',
  'in-error': 'The resource is entered in error, and does not change any more.',
  'chart-differs': 'The resource belongs to the chart of another patient.',
} as const;

export const hostTypeIssue = createIssueFactory(hostTypeIssues);
