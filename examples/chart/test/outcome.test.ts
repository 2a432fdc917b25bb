import type { OperationOutcome } from '@clinical-records/http-adapter';
import { expect, test } from 'vitest';
import { errorsByField } from '../src/model/outcome.ts';

type Issue = OperationOutcome['issue'][number];

const issue = (
  diagnostics: string,
  element?: string,
  code: Issue['details']['coding'][0]['code'] = 'date-time',
): Issue => ({
  ...{ severity: 'error', code: 'business-rule', diagnostics, ...(element && { expression: [element] }) },
  details: { coding: [{ system: 'urn:clinical-records:issue-rule', code }], text: 'Unprocessable entity' },
});

const outcomeOf = (...issues: readonly Issue[]): OperationOutcome => ({
  resourceType: 'OperationOutcome',
  issue: issues,
});

const outcome = outcomeOf(
  issue('Too late.', 'Immunization.occurrenceDateTime'),
  issue('Unknown code.', 'Immunization.vaccineCode.coding[0].code'),
  issue('Unknown system.', 'Immunization.vaccineCode.coding[0].system'),
  issue('Forbidden.'),
  issue('Unknown patient.', 'Immunization.patient'),
);

test('each issue is shown at the field that it blames, and the others above the form', () => {
  const fields = { vaccine: /^Immunization\.vaccineCode/, date: /^Immunization\.occurrence/ };
  expect(errorsByField(outcome, fields)).toEqual({
    byField: new Map([
      ['date', ['Too late.']],
      ['vaccine', ['Unknown code.', 'Unknown system.']],
    ]),
    general: ['Forbidden.', 'Unknown patient.'],
  });
});

test('a key that was used before is explained in the words of the chart', () => {
  const { general } = errorsByField(outcomeOf(issue('The key.', undefined, 'idempotency-key-reused')), {});
  expect(general.join()).toMatch(/^The first request was recorded/);
});
