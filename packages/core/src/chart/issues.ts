import { createIssueFactory } from '../errors.ts';

export const chartIssues = {
  'command-kind': 'There is no such kind of command.',
  'command-id':
    'Must be the id of a command, such as ServiceRequest/7/0: the `id` that stage, record or commandsOf returned, not its `resourceId`.',
  'resource-id': 'Must be the id of a resource, such as 7: the `resourceId` of a command, not its `id`.',
  'command-resource': 'Only a ServiceRequest, a Goal and an Immunization derive from commands.',
  'command-exists': 'A record with this id already exists.',
  'by-required':
    '`by` is required: a reference to the practitioner making the change, such as Practitioner/12.',
  'not-staged': 'Only a staged command can be committed.',
  'not-active':
    'Only an order that is committed, and neither completed nor entered in error, can be completed.',
  'not-an-order': 'Only an imaging order, a lab order or a referral can be completed.',
} as const;

export const chartIssue = createIssueFactory(chartIssues);
