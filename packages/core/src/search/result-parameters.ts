import type { Issue } from '../errors.ts';
import { parameterIssue } from './issues.ts';
import { isPagingName, type Paging, pagingNames, parsePaging } from './paging.ts';
import type { SearchPair } from './search-input.ts';

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

/** Whether a parameter is not a condition, but says how matches are returned. */
export const isResultName = (declared: ResultParameterTable, name: string): boolean =>
  isPagingName(name) || Object.hasOwn(declared, name);

/** The names of FHIR that are not conditions, and those of paging. Source: FHIR R4, Search, 3.1.1.5. */
const unconditionalNames: ReadonlySet<string> = new Set([
  ...[...pagingNames, '_sort', '_include', '_revinclude', '_summary', '_total', '_elements'],
  ...['_contained', '_containedType', '_format', '_pretty'],
]);

/** Whether a parameter would be a condition, if the search supported it. */
export const isConditionName = (name: string): boolean => !unconditionalNames.has(name.replace(/:.*$/s, ''));

/** A list of names of elements, each with the type before it or without. */
const elementList = /^([A-Z][A-Za-z]*\.)?[a-z][A-Za-z]*(,([A-Z][A-Za-z]*\.)?[a-z][A-Za-z]*)*$/;

/** The issues of the values of a parameter. */
const issuesOf = (name: string, parameter: ResultParameter, sent: readonly string[]): readonly Issue[] => {
  if (parameter.kind !== 'include' && sent.length > 1) return [parameterIssue('repeated-parameter', name)];
  if (parameter.kind === 'elements') {
    return sent.every((value) => elementList.test(value)) ? [] : [parameterIssue('search-elements', name)];
  }
  const { values } = parameter;
  if (sent.every((value) => values.includes(value))) return [];
  const issue = parameterIssue('search-value', name);
  return [{ ...issue, message: `${issue.message} It supports ${values.join(', ')}.` }];
};

const defaultResults = { ...parsePaging(new Map()), results: new Map<string, readonly string[]>() };

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
  const isCounted = results.get('_summary')?.[0] === 'count';
  return { paging: isCounted ? { ...paging, count: 0 } : paging, results, issues: allIssues };
};
