import { createIssueFactory } from '../errors.ts';

export const importIssues = {
  'no-json': 'This is no JSON.',
  bytes: 'These are bytes: ndjson makes the texts of resources out of them.',
  'no-resource': 'This is no FHIR resource with a resourceType and an id.',
  'modifier-extension': 'A modifierExtension, which is not understood, may change what the resource means.',
  'implicit-rules': 'The resource was written under rules of its own, which may change what it means.',
  subsetted: 'Only a part of the resource was sent.',
  history: 'A Bundle of this kind holds what was, and what was deleted: send what is.',
  deleted: 'The other system has deleted the resource. Nothing is deleted here.',
  'other-server': 'The entry is of another server than those before it, whose ids may mean others.',
  'in-error-there': 'The resource is entered in error there, and was left as it is here.',
  'of-another-patient': 'A resource of this id is here already, of another patient.',
  'nobody-joins': 'The care team has no participant who can join. Nothing of it was taken.',
  'no-utf-8': 'The text is not valid UTF-8.',
  'too-long': 'The text is too long to be read.',
  damaged: 'The compressed file is damaged here. What follows could not be read.',
} as const;

export type ImportRule = keyof typeof importIssues;

export const importIssue = createIssueFactory(importIssues);
