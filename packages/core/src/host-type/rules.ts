import { createIssueFactory } from '../errors.ts';

export const hostTypeIssues = {
  'new-in-error': 'A new resource cannot be entered in error.',
  'in-error': 'The resource is entered in error, and does not change any more.',
  'chart-differs': 'The resource belongs to the chart of another patient.',
  'changed-here':
    'The resource was changed here after it was imported, so another import does not change it.',
  'undated-change':
    'The resource differs from the one that was imported, and meta.lastUpdated does not say which of them is later.',
} as const;

export const hostTypeIssue = createIssueFactory(hostTypeIssues);
