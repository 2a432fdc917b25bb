import { createIssueFactory } from '../errors.ts';

export const correctionIssues = {
  'same-patient': 'A patient cannot be merged into the same patient.',
  'same-chart': 'The record already belongs to the chart of this patient.',
} as const;

export const correctionIssue = createIssueFactory(correctionIssues);
