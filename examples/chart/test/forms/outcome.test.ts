import { readFileSync } from 'node:fs';
import type { OutcomeIssue } from '@clinical-records/client';
import { expect, test } from 'vitest';
import { issueWords } from '../../src/model/error-words.ts';
import { remarksOf } from '../../src/model/outcome.ts';

const issue = (diagnostics: string, element?: string, code = 'date-time'): OutcomeIssue => ({
  ...{ severity: 'error', code: 'business-rule', diagnostics, ...(element && { expression: [element] }) },
  details: { coding: [{ system: 'urn:clinical-records:issue-rule', code }], text: 'Unprocessable entity' },
});

const refused = [
  issue('Too late.', 'Immunization.occurrenceDateTime'),
  issue('Unknown code.', 'Immunization.vaccineCode.coding[0].code'),
  issue('Unknown system.', 'Immunization.vaccineCode.coding[0].system'),
  issue('Forbidden.'),
  issue('Unknown patient.', 'Immunization.patient'),
];

test('each issue is shown at the field that it blames, and the others above the form', () => {
  const fields = { vaccine: /^Immunization\.vaccineCode/, date: /^Immunization\.occurrence/ };
  expect(remarksOf(refused, fields)).toEqual({
    byField: new Map([
      ['date', { isDoubt: false, sentences: ['Too late.'] }],
      ['vaccine', { isDoubt: false, sentences: ['Unknown code.', 'Unknown system.'] }],
    ]),
    general: ['Forbidden.', 'Unknown patient.'],
  });
});

/** Words that only a program understands. */
const wire =
  /bearer|token|header|JSON|If-|ETag|parameter|\bresource\b|reference|interface|directory|\bbody\b|\bquery\b|scope|Prefer|Content-|host|`|\{|store\b|must be a/i;

const documented = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');

/** FHIR's types of issues, by the status with which the rules of the document have them. */
const types: Readonly<Record<string, string>> = {
  ...{ '400': 'invalid', '401': 'unknown', '403': 'forbidden', '404': 'not-found', '405': 'not-supported' },
  ...{ '406': 'not-supported', '412': 'conflict', '413': 'too-costly', '415': 'not-supported' },
  ...{ '422': 'business-rule', '429': 'transient', '500': 'exception', '503': 'transient' },
};

test('each error of the interface is said without a word for programs', () => {
  const rules = documented
    .split('\n## ')
    .flatMap((part) => {
      const usual = /^(\d+), unless a row/m.exec(part)?.[1];
      return [...part.matchAll(/^\| `([\w-]+)`(?:, (\w+))? \| ([^|]+) \|/gm)].map(
        ([, rule = '', status = usual, sentence = '']) => ({
          ...{ rule, sentence },
          type: rule === 'too-costly' ? rule : types[status ?? ''],
        }),
      );
    })
    .filter(({ type }) => type !== undefined);
  expect(rules.length).toBeGreaterThan(100);
  const words = rules.map(({ rule, sentence, type = '' }) => [
    rule,
    issueWords({ ...issue(sentence, undefined, rule), code: type }),
  ]);
  expect(words.filter(([, sentence]) => wire.test(sentence ?? '') || sentence === '')).toEqual([]);
});

test('a rule of the clinic is said in its own words', () => {
  const own = { ...issue('Store it at 5 °C.', undefined, 'not-active'), details: {} };
  expect(issueWords(own)).toBe('Store it at 5 °C.');
});

test('a key that was used before is explained in the words of the chart', () => {
  const { general } = remarksOf([issue('The key.', undefined, 'idempotency-key-reused')], {});
  expect(general.join()).toMatch(/^The first request was recorded/);
});

test('a warning of a validation is a doubt at its field, and says nothing of what is refused', () => {
  const late = { ...issue('Too early.', 'Immunization.occurrenceDateTime'), severity: 'warning' as const };
  const fine = { ...issue('It would be written.'), severity: 'information' as const };
  const fields = { date: /^Immunization\.occurrence/ };
  expect(remarksOf([fine, late], fields, 'warning')).toEqual({
    byField: new Map([['date', { isDoubt: true, sentences: ['Too early.'] }]]),
    general: [],
  });
  expect(remarksOf([fine, late], fields)).toEqual({ byField: new Map(), general: [] });
});
