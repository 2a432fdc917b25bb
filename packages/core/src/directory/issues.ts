import { createIssueFactory, type Issue } from '../errors.ts';
import type { DirectoryType } from './model.ts';

export const directoryIssues = {
  'unknown-patient': 'There is no such patient.',
  'unknown-practitioner': 'There is no such practitioner.',
  'unknown-organization': 'There is no such organization.',
  'unknown-encounter': 'There is no such encounter.',
  'unknown-note': 'There is no such note.',
  'replaced-patient': 'The patient was merged into another one, which `Patient.link` names.',
  'too-many-unknown': 'The search names too many patients that are not in the directory.',
  'encounter-of-another-patient': 'The encounter belongs to another patient.',
  'note-of-another-patient': 'The note belongs to another patient.',
  replaced: 'The source system has replaced this record with another. It was imported anyway.',
  inactive: 'The source system has marked the record as inactive. It was imported anyway.',
  deceased: 'The source system reports that the patient has died. The record was imported anyway.',
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

/** The issue of a reference to an entry that does not exist. */
export const unknownEntryIssue = (type: DirectoryType, expression?: string): Issue =>
  directoryIssue(unknownEntryRules[type], expression);
