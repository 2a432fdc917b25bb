import { createIssueFactory, type Issue } from '../errors.ts';
import type { DirectoryType } from './model.ts';

export const directoryIssues = {
  'unknown-patient': 'There is no such patient.',
  'unknown-practitioner': 'There is no such practitioner.',
  'unknown-organization': 'There is no such organization.',
  'unknown-encounter': 'There is no such encounter.',
  'unknown-note': 'There is no such note.',
  'too-many-unknown': 'The search names too many patients who are not known yet.',
  'encounter-of-another-patient': 'The encounter belongs to another patient.',
  'note-of-another-patient': 'The note belongs to another patient.',
  replaced: 'The other system has another record in place of this one, and it was taken even so.',
  inactive: 'The other system no longer uses the record, and it was taken even so.',
  deceased: 'The other system says that the patient has died, and the record was taken even so.',
  'note-of-another-encounter': 'The note belongs to another encounter, or the encounter has another note.',
} as const;

export const directoryIssue = createIssueFactory(directoryIssues);

const unknownEntryRules = {
  Patient: 'unknown-patient',
  Practitioner: 'unknown-practitioner',
  Organization: 'unknown-organization',
  Encounter: 'unknown-encounter',
  Note: 'unknown-note',
} as const satisfies Record<DirectoryType, keyof typeof directoryIssues>;

/** The fault where an entry is referred to and there is none. */
export const unknownEntryIssue = (type: DirectoryType, expression?: string): Issue =>
  directoryIssue(unknownEntryRules[type], expression);
