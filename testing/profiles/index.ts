export { type ElementOfType, elementsOf } from './element-tree.ts';
export {
  type AnyResource,
  evaluatePath,
  findFhirIssues,
  findMissingElements,
  findProfileIssues,
} from './find-issues.ts';
export { type UsCoreProfile, usCoreProfiles } from './us-core-profiles.ts';
export { type UsCoreSearches, usCoreSearches } from './us-core-searches.ts';
