import { createIssueFactory } from '../errors.ts';

export const serviceRequestIssues = {
  'period-order': 'The end of the period is before its start.',
} as const;

export const serviceRequestIssue = createIssueFactory(serviceRequestIssues);
