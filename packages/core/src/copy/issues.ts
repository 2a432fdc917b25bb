import { createIssueFactory } from '../errors.ts';

export const copyIssues = {
  'damaged-records': 'The records were changed without the library, so they cannot be copied. Verify them.',
  'other-records':
    'The target has other records. It must be empty, or have what an earlier copy of the same records wrote.',
} as const;

export const copyIssue = createIssueFactory(copyIssues);
