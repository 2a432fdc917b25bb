import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, type Issue, invalidRequest } from '../errors.ts';
import type { PreferredHandling } from '../fhir/parse-body.ts';
import type { SearchCondition } from '../store/query.ts';
import { splitUnescaped } from './escape.ts';
import { parameterIssue, searchIssue, unknownParameterIssue } from './issues.ts';
import { isPagingName } from './paging.ts';
import { parseCondition, type SearchParameterTable, type SearchTime } from './parameters.ts';
import {
  isConditionName,
  isResultName,
  parseResultParameters,
  type ResultParameters,
  type ResultParameterTable,
} from './result-parameters.ts';
import { pairsOf, type SearchPair, type SearchPairs } from './search-input.ts';

/**
 * A parsed search: its `conditions`, how its matches are returned, and in `used` the parameters that had an effect, in their
 * order. Those of a page are not in `used`.
 */
export type ParsedSearch = ResultParameters & {
  readonly conditions: readonly SearchCondition[];
  /** The index version that the conditions need; undefined if every store has it. */
  readonly indexVersion: number | undefined;
  readonly used: readonly SearchPair[];
};

/** The most parameters of a search, without those for its page, which the links of a bundle add. */
export const maxParameters = 20;

/** The most alternatives of all parameters together: more than any page shows, and few enough for every store. */
export const maxAlternatives = 500;

/** The parameters of a search: its conditions, and its result parameters, except those that select a page. */
type SearchDeclaration = {
  readonly declared: SearchParameterTable;
  readonly results: ResultParameterTable;
};

const isDeclared = ({ declared, results }: SearchDeclaration, name: string): boolean =>
  Object.hasOwn(declared, name) || isResultName(results, name);

/**
 * The issues of a parameter that a search does not support. Lenient handling ignores it, unless the search has only such
 * conditions: without them, it would find the whole clinic.
 */
export const unsupportedIssues = (
  name: string,
  {
    supported,
    handling,
    hasCondition,
  }: {
    readonly supported: readonly string[];
    readonly handling: PreferredHandling;
    /** Whether the search has a condition that it supports. */
    readonly hasCondition: boolean;
  },
): readonly Issue[] => {
  const issue = unknownParameterIssue(name, supported);
  if (handling === 'strict') return [issue];
  if (hasCondition || !isConditionName(name)) return [];
  const reason = 'Without it, the search has no condition, so it is not ignored.';
  return [{ ...issue, message: `${issue.message} ${reason}` }];
};

/** Parses the parameters that are not result parameters, and returns all of their issues. */
const parseConditions = (
  pairs: readonly SearchPair[],
  declaration: SearchDeclaration,
  { time, handling }: { readonly time: SearchTime; readonly handling: PreferredHandling },
): { readonly conditions: readonly SearchCondition[]; readonly issues: readonly Issue[] } => {
  const { declared } = declaration;
  const issues: Issue[] = [];
  const conditions: SearchCondition[] = [];
  const supported = Object.keys(declared);
  const hasCondition = pairs.some(([name]) => Object.hasOwn(declared, name));
  let alternativesLeft = maxAlternatives;

  /**
   * FHIR R4, Search, "Modifiers" and "Chained parameters": if one on a known parameter were ignored, the search would have
   * another meaning, or find the whole clinic.
   */
  const isModified = (name: string) => isDeclared(declaration, /^([^:.]*)[:.]/.exec(name)?.[1] ?? '');

  for (const [name, value] of pairs) {
    if (isResultName(declaration.results, name)) continue;
    const parameter = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (parameter !== undefined) {
      const alternatives = splitUnescaped(',')(value);
      alternativesLeft -= alternatives.length;
      if (alternativesLeft >= 0) {
        const condition = parseCondition(name, { declared: parameter, alternatives, time });
        if (E.isLeft(condition)) issues.push(condition.left);
        else conditions.push(...condition.right);
      } else if (alternativesLeft + alternatives.length >= 0) {
        // Reported once, for the parameter that exceeds the limit.
        issues.push(parameterIssue('too-many-values', name));
      }
    } else if (isModified(name)) {
      issues.push(parameterIssue('modifier', name));
    } else {
      issues.push(...unsupportedIssues(name, { supported, handling, hasCondition }));
    }
  }
  return { conditions, issues };
};

/** Parses search parameters, or returns all of their issues. */
export const parseSearch = (
  parameters: SearchPairs | object,
  {
    declared,
    results: declaredResults = {},
    ...context
  }: Pick<SearchDeclaration, 'declared'> &
    Partial<SearchDeclaration> & { readonly time: SearchTime; readonly handling: PreferredHandling },
): E.Either<ClinicalError, ParsedSearch> => {
  const pairs = pairsOf(parameters);
  if (pairs.filter(([name]) => !isPagingName(name)).length > maxParameters) {
    return E.left(invalidRequest(searchIssue('too-many-values')));
  }
  const declaration = { declared, results: declaredResults };
  const { conditions, issues } = parseConditions(pairs, declaration, context);
  const { paging, results, issues: resultIssues } = parseResultParameters(pairs, declaredResults);
  if (issues.length + resultIssues.length > 0) {
    return E.left(invalidRequest([...issues, ...resultIssues]));
  }
  const used = pairs.filter(([name]) => isDeclared(declaration, name) && !isPagingName(name));
  const neededVersions = used.flatMap(([name]) => declared[name]?.indexedSince ?? []);
  const indexVersion = neededVersions.length === 0 ? undefined : Math.max(...neededVersions);
  return E.right({ conditions, indexVersion, used, paging, results });
};
