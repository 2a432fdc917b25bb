import { createIssueFactory, type Issue } from '../errors.ts';

export const searchIssues = {
  'unknown-parameter': 'There is no such search parameter here.',
  modifier: 'The parameter takes no modifier here.',
  'repeated-parameter': 'The parameter can be given only once.',
  'too-many-values': 'There are more values than a search can have.',
  'whole-number': 'The value is not a whole number of 0 or more.',
  cursor: 'The value is not one that a `next` link of this search carries.',
  'too-costly':
    'The search looks at more records than it may: add a condition that few records meet, such as `patient`, or ask for fewer alternatives.',
  id: 'The value is not an id.',
  token: 'The value has none of the forms code, system|code, system| and |code.',
  code: 'The code is none of those that this parameter knows.',
  reference: 'The value is not a reference to what this parameter refers to.',
  date: 'The value is not a date or time, with a prefix of eq, ne, gt, ge, lt, le, sa, eb and ap or with none.',
} as const;

export type SearchRule = keyof typeof searchIssues;

export const searchIssue = createIssueFactory(searchIssues);

/** A fault at a parameter, whose name is shown, without a modifier, only where it looks like one. */
export const parameterIssue = (rule: SearchRule, name: string): Issue => {
  const [shown] = /^[\w.-]{1,64}(?=:|$)/.exec(name) ?? [];
  return searchIssue(rule, shown && `http.${shown}`);
};
