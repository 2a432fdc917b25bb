import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, invalidRequest } from '../errors.ts';
import { parameterIssue } from './issues.ts';
import { pairsOf, type SearchPair, type SearchPairs } from './search-input.ts';

/** The parameters with which a page has other resources than whole ones that match. */
const otherResults: readonly string[] = ['_include', '_revinclude', '_summary', '_elements'];

/** Refuses a search whose result would not be a bundle of whole resources of its type, as a typed search returns it. */
export const requireWholeMatches = (
  parameters: SearchPairs | object,
): E.Either<ClinicalError, readonly SearchPair[]> => {
  const pairs = pairsOf(parameters);
  const issues = pairs.flatMap(([name]) =>
    otherResults.includes(name) ? [parameterIssue('json-only', name)] : [],
  );
  return issues.length === 0 ? E.right(pairs) : E.left(invalidRequest(issues));
};
