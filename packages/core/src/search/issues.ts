import { createIssueFactory, type Issue } from '../errors.ts';

export const searchIssues = {
  'unknown-parameter': 'The search parameter is not supported.',
  'empty-parameter': 'The parameter has no value.',
  modifier: 'The parameter does not support this modifier or chain.',
  'repeated-parameter': 'The parameter can be given only once.',
  'too-many-values': 'The search has too many values.',
  'too-many-unknown': 'The search names too many patients that are not in the directory.',
  'whole-number': 'Must be a whole number of 0 or more.',
  cursor: 'Must be the value from a `next` link of this search.',
  'too-costly':
    'The search looks at too many records. Add a condition that few records meet, such as `patient`, or ask for fewer alternatives.',
  'search-id': 'Must be an id such as 7.',
  'search-token': 'Must have the form code, system|code, system| or |code.',
  'search-code': 'Not one of the codes of this parameter.',
  'search-reference': 'Must be an id, or a reference of an allowed type.',
  'search-date':
    'Must be a date or time such as 2026-03-01. A prefix of eq, ne, gt, ge, lt, le, sa, eb or ap is allowed.',
  'search-value': 'Not a value of this parameter that the search supports.',
  'search-missing': 'With the modifier `missing`, must be true or false.',
  'search-string': 'Must have a letter or a digit.',
  'search-elements': 'Must be names of elements such as status, with commas between them.',
  'limit-type': 'Resources of this type cannot be limited by searches.',
  'limit-condition': 'A limit must have a condition.',
  'limit-union': 'It cannot be united with those before: they must differ in one parameter only.',
  'json-only': 'Only the functions of `asJson` support this parameter.',
  'include-forbidden': 'The caller may not read the resources that the search would include.',
  'target-required': 'The search needs a `target` or an `_id`.',
  'target-forbidden': 'The caller may not read the resource that the Provenance is about.',
  'search-since': 'Must be a date or time without a prefix, such as 2026-03-01T09:30:00-05:00.',
} as const;

export type SearchRule = keyof typeof searchIssues;

export type SearchIssue = Issue<SearchRule>;

export const searchIssue = createIssueFactory(searchIssues);

/** Whether a rule is about a parameter of a search, so that the expression of its issues is the name of one. */
export const isSearchRule = (rule: string): boolean => Object.hasOwn(searchIssues, rule);

/** The issue for a parameter. Its name is shown without a modifier, and only if it looks like a parameter name. */
export const parameterIssue = (rule: SearchRule, name: string, allowed?: readonly string[]): SearchIssue => {
  const [shown] = /^[\w.-]{1,64}(?=:|$)/.exec(name) ?? [];
  return searchIssue(rule, shown, allowed);
};

/** The issue for a parameter that is not supported, with those that are. */
export const unknownParameterIssue = (name: string, supported: readonly string[]): SearchIssue => {
  const issue = parameterIssue('unknown-parameter', name);
  const names = supported.map((parameter) => `\`${parameter}\``).join(', ');
  return { ...issue, message: `${issue.message} Those of this resource are ${names}.` };
};
