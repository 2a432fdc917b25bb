import { createIssueFactory } from '../errors.ts';

export const importIssues = {
  'invalid-json': 'Not valid JSON.',
  bytes: 'Bytes were passed. Wrap the stream in ndjson().',
  'not-a-resource': 'Not a FHIR resource with a resourceType and an id.',
  subsetted: 'The resource is tagged SUBSETTED: only a part of it was sent.',
  'history-bundle': 'History Bundles cannot be imported. Send the current resources.',
  deleted: 'The source system has deleted the resource. An import deletes nothing.',
  'different-server':
    'The entry comes from a different server than earlier ones, so its ids may belong to other patients.',
  'entered-in-error-at-source':
    'The source system has marked the resource as entered in error. The import did not change it.',
  'resource-of-another-patient': 'A resource of another patient already has this id.',
  'no-importable-participant': 'No participant of the care team can be imported.',
  'invalid-utf-8': 'The text is not valid UTF-8.',
  'too-long': 'The text is too long.',
  damaged: 'The compressed file is damaged here. The rest of it could not be read.',
} as const;

export type ImportRule = keyof typeof importIssues;

export const importIssue = createIssueFactory(importIssues);
