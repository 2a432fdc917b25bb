export {
  type AnyResource,
  evaluatePath,
  findFhirIssues,
  findMissingElements,
  findProfileIssues,
} from './find-issues.ts';
