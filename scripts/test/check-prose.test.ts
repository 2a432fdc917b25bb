import { expect, test } from 'vitest';
import { passagesOfMarkdown, passagesOfSource, passagesOfTitles } from '../prose/passages.ts';
import { faultsOfProse } from '../prose/rules.ts';

test('prose is read passage by passage, without its code', () => {
  const markdown =
    '# Goals\n\nA goal is `read`\nby its [id](a.md).\n\n```ts\nclose();\n```\n\n- One.\n- Two.\n\n| a | b |\n|---|---|\n| c | d |\n';
  expect(passagesOfMarkdown(markdown)).toEqual([
    { line: 1, text: 'Goals' },
    { line: 3, text: 'A goal is code by its id.' },
    { line: 10, text: 'One.' },
    { line: 11, text: 'Two.' },
    { line: 13, text: 'a' },
    { line: 13, text: 'b' },
    { line: 15, text: 'c' },
    { line: 15, text: 'd' },
  ]);
});

test('the comments and the messages of a source are read', () => {
  const source =
    "/** Reads a goal.\n *\n * @param id its id */\n// A remark.\nconst message = 'Must be a date.';\nconst tag = 'goal';\n";
  expect(passagesOfSource(source).map(({ text }) => text)).toEqual([
    'Reads a goal.',
    'id its id',
    'A remark.',
    'Must be a date.',
  ]);
});

test('the titles of tests are read, also of tests with tables', () => {
  const source =
    "describe('a goal', () => {\n  test('can be closed', () => {});\n  test.each(['x'])('has %s', () => {});\n});\n";
  expect(passagesOfTitles(source)).toEqual([
    { line: 1, text: 'a goal' },
    { line: 2, text: 'can be closed' },
    { line: 3, text: 'has %s' },
  ]);
});

test.each([
  'A practitioner on a care team must have a role.',
  'There is no such goal, and the goal is no longer active.',
  'What is it?',
  'It answers with a 404, and the log alone tells why.',
  `A long sentence of ${'many '.repeat(40)}words.`,
])('%s is plain', (text) => expect(faultsOfProse(text)).toEqual([]));

test.each([
  ['"is no"', 'This is no date.'],
  ['"stands in"', 'It stands in the log.'],
  ['"What"', 'What is not foreseen is an error.'],
  ['"Whoever"', 'Whoever writes waits.'],
])('%s is reported', (wrong, text) => expect(faultsOfProse(text)).toEqual([expect.stringContaining(wrong)]));
