import { expect, test } from 'vitest';
import { describeChart } from '../chart.ts';

test('a problem is imported, and an allergy is recorded, warned of and changed', async () => {
  expect(await describeChart()).toEqual([
    'Imported: {"Condition":1}, without Condition.severity',
    'Warning: The allergy is known.',
    'Problem: Hypertension',
    'Allergy: Peanuts (low)',
    'Allergy: Peanuts (high)',
    'Version 2, by Practitioner/12',
    'Version 1, by Practitioner/12',
  ]);
});
