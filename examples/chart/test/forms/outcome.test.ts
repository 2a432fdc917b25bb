import type { OutcomeIssue } from '@clinical-records/client';
import { expect, test } from 'vitest';
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
