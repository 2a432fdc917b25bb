import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, invalidRequest } from '../errors.ts';
import { isBlank } from '../fhir/element.ts';
import type { PreferredHandling } from '../fhir/parse-body.ts';
import type { SearchCondition } from '../store/query.ts';
import {
  parameterIssue,
  type SearchIssue,
  type SearchRule,
  searchIssue,
  unknownParameterIssue,
} from './issues.ts';
import {
  type DeclaredParameters,
  findParameter,
  modifierIssue,
  parseNamedCondition,
} from './named-parameter.ts';
import { isPagingName, type Paging, pagingNames, parsePaging, unknownCursorIssue } from './paging.ts';
import type { SearchTime } from './parameters.ts';
import { pairsOf, type SearchPair, type SearchPairs, splitUnescaped } from './search-input.ts';
import { isSort } from './sort.ts';

/**
 * A parsed search: its `conditions`, how its matches are returned, in `used` the parameters that had an effect, in their order, and
 * in `ignored` an issue for each parameter that had none. Those of a page are not in `used`.
 */
export type ParsedSearch = ResultParameters & {
  readonly conditions: readonly SearchCondition[];
  readonly used: readonly SearchPair[];
  readonly ignored: readonly SearchIssue[];
};

/** The parameters of a search: its conditions, and its result parameters, except those that select a page. */
type SearchDeclaration = DeclaredParameters & { readonly results: ResultParameterTable };

/** The values that a result parameter allows. It says how matches are returned, and is not a condition on them. */
export type ResultParameter =
  | {
      /** Resources that are added to a page. The parameter can be repeated. */
      readonly kind: 'include';
      readonly values: readonly string[];
    }
  | {
      /** One of the values. */
      readonly kind: 'choice';
      readonly values: readonly string[];
    }
  | {
      /** Some of the values, with commas between them, and none for a parameter that came before. */
      readonly kind: 'sort';
      readonly values: readonly string[];
    }
  | {
      /** Names of elements, with commas between them. */
      readonly kind: 'elements';
    };

/** The result parameters of a search, except those that select a page. Source: FHIR R4, Search, 3.1.1.5. */
export type ResultParameterTable = Readonly<Record<string, ResultParameter>>;

/** The result parameters of every search, except includes. The total is always accurate. Source: FHIR R4, Search, 3.1.1.5. */
export const pageParameters = {
  _total: { kind: 'choice', values: ['accurate', 'estimate', 'none'] },
  _summary: { kind: 'choice', values: ['true', 'text', 'data', 'count', 'false'] },
  _elements: { kind: 'elements' },
} as const satisfies ResultParameterTable;

/** How the matches of a search are returned: on which page, and the values of its other result parameters. */
export type ResultParameters = {
  readonly paging: Paging;
  readonly results: ReadonlyMap<string, readonly string[]>;
};

/** The parameters of FHIR for any response. Where one has no meaning, it is ignored. Source: FHIR R4, RESTful API, 3.1.0.1.11. */
const generalNames: ReadonlySet<string> = new Set(['_format', '_pretty', '_summary', '_elements', '_total']);

/** Whether a parameter can be ignored, because it is for any response. */
export const isGeneralName = (name: string): boolean => generalNames.has(name);

/** Whether a parameter is not a condition, but says how matches are returned. */
const isResultName = (declared: ResultParameterTable, name: string): boolean =>
  isPagingName(name) || Object.hasOwn(declared, name);

/** The names of FHIR that are not conditions, and those of paging. Source: FHIR R4, Search, 3.1.1.5. */
const unconditionalNames: ReadonlySet<string> = new Set([
  ...pagingNames,
  ...generalNames,
  '_sort',
  '_include',
  '_revinclude',
  '_contained',
  '_containedType',
]);

/** Whether a parameter would be a condition, if the search supported it. */
const isConditionName = (name: string): boolean => !unconditionalNames.has(name.replace(/:.*$/s, ''));

/** A list of names of elements, each with the type before it or without. */
const elementList = /^([A-Z][A-Za-z]*\.)?[a-z][A-Za-z]*(,([A-Z][A-Za-z]*\.)?[a-z][A-Za-z]*)*$/;

const issuesOf = (
  name: string,
  parameter: ResultParameter,
  sent: readonly string[],
): readonly SearchIssue[] => {
  if (parameter.kind !== 'include' && sent.length > 1) return [parameterIssue('repeated-parameter', name)];
  if (parameter.kind === 'elements') {
    return sent.every((value) => elementList.test(value)) ? [] : [parameterIssue('search-elements', name)];
  }
  const { kind, values } = parameter;
  const isAllowed = (value: string): boolean => {
    if (kind === 'sort') return isSort(value, values);
    // The type of the resources to which a reference leads may follow it, such as in `CareTeam:participant:Practitioner`.
    return values.includes(
      kind === 'include' ? value.replace(/^([^:]+:[^:]+):[A-Z][A-Za-z]*$/, '$1') : value,
    );
  };
  if (sent.every(isAllowed)) return [];
  const issue = parameterIssue('search-value', name);
  const supported = `It supports ${values.join(', ')}${kind === 'sort' ? ', with commas between them' : ''}.`;
  return [{ ...issue, message: `${issue.message} ${supported}` }];
};

const defaultResults = { ...parsePaging(new Map()), results: new Map<string, readonly string[]>() };

/** Parses the result parameters among the parameters of a search, and returns all of their issues. */
const parseResultParameters = (
  pairs: readonly SearchPair[],
  declared: ResultParameterTable,
): ResultParameters & { readonly issues: readonly SearchIssue[] } => {
  const sent = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    if (!isResultName(declared, name)) continue;
    const values = sent.get(name);
    if (values === undefined) sent.set(name, [value]);
    else values.push(value);
  }
  if (sent.size === 0) return defaultResults;
  const { paging, issues } = parsePaging(sent);
  const results = new Map<string, readonly string[]>();
  const allIssues = [...issues];
  for (const [name, values] of sent) {
    const parameter = isPagingName(name) ? undefined : declared[name];
    if (parameter === undefined) continue;
    allIssues.push(...issuesOf(name, parameter, values));
    results.set(name, [...new Set(values)]);
  }
  // A place in another order would skip matches.
  if (paging.cursor !== null && paging.cursor.sorted?.by !== results.get('_sort')?.[0])
    allIssues.push(unknownCursorIssue);
  const isCounted = results.get('_summary')?.[0] === 'count';
  return { paging: isCounted ? { ...paging, count: 0 } : paging, results, issues: allIssues };
};

/** The most parameters of a search, without those for its page, which the links of a bundle add. */
export const maxParameters = 20;

/** The most alternatives of all parameters together: more than any page shows, and few enough for every store. */
export const maxAlternatives = 500;

const isDeclared = ({ declared, results }: SearchDeclaration, name: string): boolean =>
  Object.hasOwn(declared, name) || isResultName(results, name);

/** The issue of a parameter that a search does not support or that is empty, and whether the parameter is ignored. */
type UnusedParameter = { readonly issue: SearchIssue; readonly isIgnored: boolean };

/**
 * Decides what becomes of a parameter that a search does not support, or that is empty. Lenient handling ignores it, unless the search
 * has only such conditions: without them, it would find the whole clinic.
 */
export const decideUnused = (
  name: string,
  issue: SearchIssue,
  {
    handling,
    hasCondition,
  }: {
    readonly handling: PreferredHandling;
    /** Whether the search has a condition that it supports. */
    readonly hasCondition: boolean;
  },
): UnusedParameter => {
  if (handling === 'strict') return { issue, isIgnored: false };
  const isIgnored = hasCondition || !isConditionName(name);
  const reason = isIgnored
    ? 'It was ignored.'
    : 'Without it, the search has no condition, so it is not ignored.';
  return { issue: { ...issue, message: `${issue.message} ${reason}` }, isIgnored };
};

/** Whether a parameter has a value. Nearly all begin with a letter or a digit. */
export const hasValue = ([, value]: SearchPair): boolean => /^\w/.test(value) || !isBlank(value);

/** The time of a search, the URL of the interface for references to it, and what becomes of parameters that have no effect. */
type SearchContext = {
  readonly time: SearchTime;
  readonly baseUrl?: string | undefined;
  readonly handling: PreferredHandling;
};

/** Parses the parameters that are not result parameters, and returns all of their issues. */
const parseConditions = (
  pairs: readonly SearchPair[],
  declaration: SearchDeclaration,
  { handling, ignoresEmpty, ...context }: SearchContext & { readonly ignoresEmpty: boolean },
): {
  readonly conditions: readonly SearchCondition[];
  readonly issues: readonly SearchIssue[];
  readonly ignored: readonly SearchIssue[];
} => {
  const { declared } = declaration;
  const issues: SearchIssue[] = [];
  const ignored: SearchIssue[] = [];
  const conditions: SearchCondition[] = [];
  const supported = Object.keys(declared);
  const hasCondition = pairs.some(
    (pair) => hasValue(pair) && findParameter(declaration, pair[0]) !== undefined,
  );
  let alternativesLeft = maxAlternatives;

  /**
   * FHIR R4, Search, "Modifiers" and "Chained parameters": if one on a known parameter were ignored, the search would have
   * another meaning, or find the whole clinic.
   */
  const isModified = (name: string) => isDeclared(declaration, /^([^:.]*)[:.]/.exec(name)?.[1] ?? '');

  const leaveOut = (name: string, issue: SearchIssue, unused: PreferredHandling = handling): void => {
    const decided = decideUnused(name, issue, { handling: unused, hasCondition });
    (decided.isIgnored ? ignored : issues).push(decided.issue);
  };

  for (const pair of pairs) {
    const [name, value] = pair;
    const isResult = isResultName(declaration.results, name) || isGeneralName(name);
    const found = isResult ? undefined : findParameter(declaration, name);
    if (!hasValue(pair) && (isResult || found !== undefined)) {
      leaveOut(name, parameterIssue('empty-parameter', name), ignoresEmpty ? handling : 'strict');
      continue;
    }
    if (isResult) continue;
    if (found !== undefined) {
      const alternatives = splitUnescaped(',')(value);
      alternativesLeft -= alternatives.length;
      if (alternativesLeft >= 0) {
        const condition = parseNamedCondition(found, alternatives, context);
        if (E.isLeft(condition)) issues.push(condition.left);
        else conditions.push(...condition.right);
      } else if (alternativesLeft + alternatives.length >= 0) {
        // Reported once, for the parameter that exceeds the limit.
        issues.push(parameterIssue('too-many-values', name));
      }
    } else if (isModified(name)) {
      issues.push(modifierIssue(declaration, name));
    } else {
      leaveOut(name, unknownParameterIssue(name, supported));
    }
  }
  return { conditions, issues, ignored };
};

/** Parses search parameters, or returns all of their issues. */
export const parseSearch = (
  parameters: SearchPairs | object,
  {
    declared,
    isStored = false,
    results: declaredResults = {},
    ...context
  }: DeclaredParameters & Partial<SearchDeclaration> & SearchContext,
): E.Either<ClinicalError<SearchRule>, ParsedSearch> => {
  const pairs = pairsOf(parameters);
  if (pairs.filter(([name]) => !isPagingName(name)).length > maxParameters) {
    return E.left(invalidRequest(searchIssue('too-many-values')));
  }
  const declaration = { declared, isStored, results: declaredResults };
  // An empty value in an object is a missing one, such as of a session that has lost its patient.
  const ignoresEmpty = Symbol.iterator in parameters;
  const { conditions, issues, ignored } = parseConditions(pairs, declaration, { ...context, ignoresEmpty });
  const sent = pairs.filter(hasValue);
  const { paging, results, issues: resultIssues } = parseResultParameters(sent, declaredResults);
  if (issues.length + resultIssues.length > 0) {
    return E.left(invalidRequest([...issues, ...resultIssues]));
  }
  const used = sent.filter(
    ([name]) =>
      !isPagingName(name) &&
      (isResultName(declaredResults, name) || findParameter(declaration, name) !== undefined),
  );
  return E.right({ conditions, used, ignored, paging, results });
};
