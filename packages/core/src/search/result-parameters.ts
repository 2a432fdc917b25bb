import type { Issue } from '../errors.ts';
import { parameterIssue } from './issues.ts';
import { isPagingName, type Paging, parsePaging } from './paging.ts';
import type { SearchPair } from './search-input.ts';

/** The values that a result parameter allows. It says how matches are returned, and is not a condition on them. */
export type ResultParameter = {
  /** Resources that are added to a page. The parameter can be repeated. */
  readonly kind: 'include';
  readonly values: readonly string[];
};

/** The result parameters of a search besides those of a page. Source: FHIR R4, Search, 3.1.1.5. */
export type ResultParameterTable = Readonly<Record<string, ResultParameter>>;

/** How the matches of a search are returned: on which page, and the values of its other result parameters. */
export type ResultParameters = {
  readonly paging: Paging;
  readonly results: ReadonlyMap<string, readonly string[]>;
};

/** Whether a parameter is not a condition, but says how matches are returned. */
export const isResultName = (declared: ResultParameterTable, name: string): boolean =>
  isPagingName(name) || Object.hasOwn(declared, name);

/** The issues of the values of a parameter. */
const issuesOf = (name: string, { values }: ResultParameter, sent: readonly string[]): readonly Issue[] => {
  if (sent.every((value) => values.includes(value))) return [];
  const issue = parameterIssue('search-include', name);
  return [{ ...issue, message: `${issue.message} It supports ${values.join(', ')}.` }];
};

/** Parses the result parameters among the parameters of a search, and returns all of their issues. */
export const parseResultParameters = (
  pairs: readonly SearchPair[],
  declared: ResultParameterTable,
): ResultParameters & { readonly issues: readonly Issue[] } => {
  const sent = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    if (!isResultName(declared, name)) continue;
    const values = sent.get(name);
    if (values === undefined) sent.set(name, [value]);
    else values.push(value);
  }
  const { paging, issues } = parsePaging(sent);
  const results = new Map<string, readonly string[]>();
  const allIssues = [...issues];
  for (const [name, parameter] of Object.entries(declared)) {
    const values = sent.get(name);
    if (values === undefined) continue;
    allIssues.push(...issuesOf(name, parameter, values));
    results.set(name, [...new Set(values)]);
  }
  return { paging, results, issues: allIssues };
};
