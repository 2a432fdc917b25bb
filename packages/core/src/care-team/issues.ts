import { createIssueFactory } from '../errors.ts';

export const careTeamIssues = {
  'invalid-member': 'A member must be a reference such as Practitioner/12 or Organization/31.',
  'participant-status': 'Must be proposed, active, suspended, inactive or entered-in-error.',
  'subject-differs': 'The subject must be the patient of the care team.',
  'status-suffix': 'Only the active care team can be updated, under the id of its patient.',
  'role-required': 'A practitioner on a care team must have a role.',
  'role-not-configured': 'Not one of the configured care team roles.',
  'one-role': 'A participant must have exactly one role, with one coding.',
  'participant-unchanged': 'Already on the team with another status; the import did not change it.',
  'participant-once': 'A member can be on the team only once, and in one role.',
  'role-taken': 'Only one practitioner can hold a given role on a care team.',
  'organization-lead': 'An organization cannot be the lead.',
  'one-lead': 'Only one active participant can be the lead.',
} as const;

export const careTeamIssue = createIssueFactory(careTeamIssues);
