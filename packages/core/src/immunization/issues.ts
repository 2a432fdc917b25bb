import { createIssueFactory } from '../errors.ts';

export const immunizationIssues = {
  'create-statement-only': 'Must be false: an Immunize command cannot be created here.',
  'create-completed-only': 'A new immunization must have the status completed.',
  'note-and-encounter-differ': 'The note does not belong to the encounter.',
  'reason-of-not-done': 'Allowed only with the status not-done.',
  'entered-in-error-only': 'Must be entered-in-error: an immunization cannot be changed in any other way.',
  'unknown-immunization': 'There is no such immunization, and an update cannot create one.',
  'statement-only':
    'Only an immunization statement can be marked as entered in error here, not an Immunize command.',
  'patient-differs': 'The immunization belongs to another patient.',
  'note-differs': 'The immunization is not in this note.',
  'encounter-differs': 'The immunization does not belong to this encounter.',
  'in-the-future': 'The date is more than two days in the future.',
} as const;

export const immunizationIssue = createIssueFactory(immunizationIssues);
