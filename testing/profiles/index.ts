export { type AnyResource, findFhirIssues, findMissingElements, findProfileIssues } from './find-issues.ts';
