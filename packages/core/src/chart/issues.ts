import { createIssueFactory } from '../errors.ts';

export const chartIssues = {
  'command-kind': 'There is no such kind of command.',
  'command-resource': 'No command makes a resource of this type.',
  'command-exists': 'There is already a record with this id.',
  'no-practitioner': 'Whoever does a thing in the chart is named, by the id of a practitioner.',
  'not-staged': 'Only a staged command can be committed.',
  'not-active':
    'Only an order that is committed, and neither completed nor entered in error, can be completed.',
  'not-an-order': 'Only an imaging order, a lab order or a referral can be completed.',
} as const;

export const chartIssue = createIssueFactory(chartIssues);
