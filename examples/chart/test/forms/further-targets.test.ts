import { expect, test } from 'vitest';
import { furtherTargetsOf } from '../../src/model/goals.ts';

test('the targets of a goal beyond the first are shown in words', () => {
  const url = 'https://clinic.example/fhir/extensions/further-target' as const;
  const targetOf = (...extension: Parameters<typeof partsOf>[0]) =>
    furtherTargetsOf({ extension: [{ url, extension }] });
  const partsOf = (
    parts: Extract<
      NonNullable<Parameters<typeof furtherTargetsOf>[0]['extension']>[number],
      { extension: unknown }
    >['extension'][number][],
  ) => parts;
  const measure = { url: 'measure', valueCodeableConcept: { text: 'Diastolic pressure' } } as const;
  const mmHg = { value: 80, unit: 'mmHg' };
  expect(
    targetOf(measure, { url: 'detail', valueQuantity: mmHg }, { url: 'due', valueDate: '2027-02-01' }),
  ).toEqual(['Diastolic pressure 80 mmHg by 1 Feb 2027']);
  expect(targetOf({ url: 'detail', valueRange: { low: mmHg, high: { value: 90 } } })).toEqual([
    '80 mmHg to 90',
  ]);
  expect(
    targetOf(
      { url: 'detail', valueBoolean: false },
      { url: 'due', valueDuration: { value: 3, unit: 'weeks' } },
    ),
  ).toEqual(['false within 3 weeks']);
  expect(furtherTargetsOf({})).toEqual([]);
});
