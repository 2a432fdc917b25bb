import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findCoverageIssues } from '../interface/find-coverage-issues.ts';
import { findQuote, findUnquotedWords } from '../interface/find-quote.ts';
import { findUnproven, findUnrefused } from '../interface/find-unproven.ts';
import { parseStatements } from '../interface/parse-statements.ts';
import { digestOf, readTestRuns } from '../interface/test-runs.ts';

describe('the statements of a document', () => {
  const page = `# Goals

It is short. Its rules: none.

## Fields

| Field | Notes |
|---|---|
| code | either \`a\` or \`a\\|b\`. Kept |

1. A goal has a text.
- Nothing else.

### Goal (read-only)

Rules:
`;
  test('are sentences, items and rows by their heading, and the parentheses in a heading', () => {
    expect(parseStatements(page)).toEqual({
      Goals: ['It is short', 'Its rules: none'],
      Fields: ['code | either `a` or `a|b`. Kept', 'A goal has a text', 'Nothing else'],
      'Fields > Goal (read-only)': ['Goal (read-only)', 'Rules'],
    });
  });
});

describe('a quotation of a sentence', () => {
  const row = 'status | enum | yes | active is the one status; others are none';
  test.each([
    [row],
    ['status | enum | yes'],
    ['status | active is the one status'],
    ['status | yes | others are none'],
    ['others are none'],
  ])('%s', (sentence) => {
    expect(findQuote(sentence, row)).not.toBeNull();
  });
  test.each([
    ['status | no'],
    ['status | yes | enum'],
    ['status | act'],
    ['status: enum'],
    ['status | status | status'],
    ['Status | enum'],
  ])('is not: %s', (sentence) => {
    expect(findQuote(sentence, row)).toBeNull();
  });
  test('words that no sentence quotes are left over', () => {
    const quotes = ['status | enum', 'status | active is the one status', 'others | are of no interest'];
    expect(findUnquotedWords(row, quotes)).toEqual(['yes', 'others', 'are', 'none']);
    expect(findUnquotedWords('A and B, but C', ['A', 'C'])).toEqual(['B,']);
  });
});

describe('sentences that quote all of a document and nothing else', () => {
  const statements = { Fields: ['id | string', 'A goal has a text'], Errors: ['404 | none'] };
  const whole = {
    sentences: { Goal: ['id | string', 'A goal has a text'] },
    sectionsByHeading: { Fields: ['Goal'] },
    exemptions: { Errors: { '404 | none': 'It is of another system.' } },
  };
  test('have no issue', () => {
    expect(findCoverageIssues(statements, whole)).toEqual([]);
  });
  test.each([
    [
      'a sentence that is not in the document',
      { sentences: { Goal: [...whole.sentences.Goal, 'id | number'] } },
    ],
    [
      'a sentence of a list that quotes another heading',
      { sectionsByHeading: { Fields: [], Errors: ['Goal'] } },
    ],
    ['a word that no sentence quotes', { sentences: { Goal: ['id | string', 'A goal has'] } }],
    ['a row that no sentence quotes', { exemptions: {} }],
    [
      'a reason for a sentence that is not in the document',
      { exemptions: { Errors: { '404 | none': 'so', '500 | none': 'so' } } },
    ],
  ])('%s is reported', (_, changed) => {
    expect(findCoverageIssues(statements, { ...whole, ...changed })).not.toEqual([]);
  });
});

describe('the proof of a test', () => {
  const listed = { section: 'Goal', sentence: 'id | string' };
  const run = (passed: boolean, ...titles: string[]) => ({ passed, titles });
  test.each([
    ['Goal (sqlite)', 'id | string: a text'],
    ['Goal', 'id | string', 'of a goal'],
    ['of all', 'Goal', 'every id | string'],
  ])('is a sentence named under its section: %s > %s', (...titles) => {
    expect(findUnproven([listed], [run(true, ...titles)])).toEqual({ untested: [], notPassed: [] });
    expect(findUnproven([listed], [run(true, ...titles), run(false, ...titles)])).toEqual({
      untested: [],
      notPassed: [listed],
    });
  });
  test.each([['Goals', 'id | string'], ['id | string'], ['Goal', 'id'], ['Goal id | string (memory)']])(
    'is not: %s > %s',
    (...titles) => {
      expect(findUnproven([listed], [run(true, ...titles)]).untested).toEqual([listed]);
    },
  );
});

describe('a sentence that excludes something', () => {
  const run = (...titles: string[]) => ({ passed: true, titles });
  const unrefused = (sentence: string, ...titles: string[]) =>
    findUnrefused([{ section: 'Goal', sentence }], [run('Goal (sqlite)', ...titles)], ['id | enum']).length;
  test.each([
    'only a lead',
    'Only value: order',
    'One of: a, b',
    'a or b',
    'they must match',
    'not both',
    'It cannot be',
    'id | enum',
  ])('needs a test of what is refused: %s', (sentence) => {
    expect(unrefused(sentence, sentence)).toBe(1);
    expect(unrefused(sentence, `${sentence}: two are refused`)).toBe(0);
    expect(unrefused(sentence, sentence, 'refused: two')).toBe(0);
    expect(unrefused(sentence, 'refused: two')).toBe(1);
  });
  test('may say itself that it is refused: then its test says it again', () => {
    expect(unrefused('two must be refused', 'two must be refused')).toBe(1);
  });
  test.each(['id | string', 'for the order', '404 | not-found', 'not-done, completed', 'status | enum'])(
    'is not: %s',
    (sentence) => {
      expect(unrefused(sentence, sentence)).toBe(0);
    },
  );
});

describe('the passed tests', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const reporter = fileURLToPath(new URL('../interface/test-runs.ts', import.meta.url));
  const runTests = (source: string, ...flags: readonly string[]) => {
    const file = join(root, 'goal.test.ts');
    writeFileSync(file, source);
    const options = [
      '--globals',
      '--expect.requireAssertions',
      '--allowOnly',
      `--reporter=${reporter}`,
      '--root',
      root,
    ];
    spawnSync(process.execPath, [vitest, 'run', ...options, ...flags], { cwd: root });
    return readTestRuns(root)['goal.test.ts'];
  };
  const passed = (source: string) =>
    runTests(source)
      ?.tests.filter((one) => one.passed)
      .map(({ titles }) => titles.join(' > '));

  test('are those that ran and asserted something', () => {
    const source = `
      describe('Goal', () => {
        test('passes', () => { expect(1).toBe(1); });
        test.each(['a', 'b'])('each: %s', (one) => { expect(one).toBe('a'); });
        test('is empty', () => {});
        test.skip('is skipped', () => { expect(1).toBe(1); });
        test.todo('is to come');
        test.fails('is to fail', () => { expect(1).toBe(2); });
        // test('is commented out', () => { expect(1).toBe(1); });
      });
      describe.skip('Goal', () => {
        test('is in what is skipped', () => { expect(1).toBe(1); });
      });
    `;
    expect(passed(source)).toEqual(['Goal > passes', 'Goal > each: a']);
  });
  test('of several, the only one', () => {
    const source = `
      test.only('runs', () => { expect(1).toBe(1); });
      test('does not', () => { expect(1).toBe(1); });
    `;
    expect(passed(source)).toEqual(['runs']);
  });
  test('are those of the file as it was when all of it ran', () => {
    const source = (name: string) => `
      test('one', () => { expect(1).toBe(1); });
      test('${name}', () => { expect(1).toBe(1); });
    `;
    const before = runTests(source('two'));
    expect(before?.digest).toBe(digestOf(join(root, 'goal.test.ts')));
    expect(runTests(source('three'), '-t', 'one')).toEqual(before);
    expect(runTests(source('three'))?.digest).not.toBe(before?.digest);
  });
});
