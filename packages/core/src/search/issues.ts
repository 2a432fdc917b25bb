import { createIssueFactory, type Issue } from '../errors.ts';

export const searchIssues = {
  'unknown-parameter': 'There is no search parameter of this name.',
  modifier: 'The parameter does not allow modifiers.',
  'repeated-parameter': 'The parameter can be given only once.',
  'too-many-values': 'There are more values than a search can have.',
  'whole-number': 'The value is not a whole number of 0 or more.',
  cursor: 'The value is not one that a `next` link of this search has.',
  'too-costly':
    'The search looks at too many records: add a condition that few records meet, such as `patient`, or ask for fewer alternatives.',
  id: 'The value is not an id.',
  token: 'The value must have one of the forms code, system|code, system| and |code.',
  code: 'The code is not one of the codes that this parameter allows.',
  reference: 'The value is not a reference to a type that this parameter allows.',
  date: 'The value is not a date or time, with a prefix of eq, ne, gt, ge, lt, le, sa, eb and ap or with none.',
} as const;

export type SearchRule = keyof typeof searchIssues;

export const searchIssue = createIssueFactory(searchIssues);

/** The issue for a parameter. Its name is shown without a modifier, and only if it looks like a parameter name. */
export const parameterIssue = (rule: SearchRule, name: string): Issue => {
  const [shown] = /^[\w.-]{1,64}(?=:|$)/.exec(name) ?? [];
  return searchIssue(rule, shown && `http.${shown}`);
};
