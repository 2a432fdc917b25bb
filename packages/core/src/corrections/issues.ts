import { createIssueFactory } from '../errors.ts';

export const correctionIssues = {
  'same-chart': 'The record already belongs to the chart of this patient.',
} as const;

export const correctionIssue = createIssueFactory(correctionIssues);
