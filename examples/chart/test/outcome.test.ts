import type { OperationOutcome } from '@clinical-records/http-adapter';
import { expect, test } from 'vitest';
import { errorsByField } from '../src/model/outcome.ts';

const outcome = {
  resourceType: 'OperationOutcome',
  issue: [
    { diagnostics: 'Too late.', expression: ['Immunization.occurrenceDateTime'] },
    { diagnostics: 'Unknown code.', expression: ['Immunization.vaccineCode.coding[0].code'] },
    { diagnostics: 'Unknown system.', expression: ['Immunization.vaccineCode.coding[0].system'] },
    { diagnostics: 'Forbidden.' },
    { diagnostics: 'Unknown patient.', expression: ['Immunization.patient'] },
  ],
} as unknown as OperationOutcome;

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
