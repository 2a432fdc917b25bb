import { createIssueFactory } from '../errors.ts';

export const careTeamIssues = {
  'id-differs': 'The id is not the one in the path.',
  'no-member': 'A member is a reference to a practitioner or an organization.',
  'no-status': 'The status is none of those that a participant can have.',
  'subject-differs': 'The subject is not the patient whose care team this is.',
  'status-suffix': 'Only the active care team can be updated, under the id of its patient.',
  'role-required': 'A practitioner takes part in a role.',
  'role-not-configured': 'The role is none of the configured care team roles.',
  'one-role': 'A participant has exactly one role, with one coding.',
  'left-as-it-is': 'The member is in the team already, and is not active: it was left as it is.',
  'participant-once': 'A member takes part only once, and in one role.',
  'role-taken': 'Only one practitioner can hold a given role on a care team.',
  'organization-lead': 'An organization cannot be the lead.',
  'one-lead': 'Only one active participant can be the lead.',
} as const;

export const careTeamIssue = createIssueFactory(careTeamIssues);
