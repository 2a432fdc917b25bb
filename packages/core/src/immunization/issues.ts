import { createIssueFactory } from '../errors.ts';

export const immunizationIssues = {
  'create-statement-only':
    'Only what was administered elsewhere can be recorded: an Immunize command cannot be created.',
  'create-completed-only': 'A new immunization has the status completed.',
  'note-and-encounter-differ': 'The note and the encounter are not of the same visit.',
  'reason-of-not-done': 'A reason for not giving a vaccine belongs to one that was not given.',
  'entered-in-error-only': 'An immunization can only be marked as entered in error.',
  'unknown-immunization': 'There is no such immunization, and the server takes no ids that a client made.',
  'statement-only':
    'Only an immunization statement can be marked as entered in error here, not an Immunize command.',
  'id-differs': 'The id is not the one in the path.',
  'patient-differs': 'The immunization is of another patient.',
  'note-differs': 'The immunization does not stand in this note.',
  'encounter-differs': 'The immunization does not belong to this encounter.',
  'in-the-future': 'The date is more than two days ahead: a vaccine that will be given has not been given.',
} as const;

export const immunizationIssue = createIssueFactory(immunizationIssues);
