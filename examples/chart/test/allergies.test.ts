import { expect, test } from 'vitest';
import { listAllergies } from '../src/model/allergies.ts';
import type { Allergy } from '../src/model/resources.ts';

const concept = (code: string) => ({ coding: [{ code }] });

const allergy = (text: string, rest: Partial<Allergy> = {}): Allergy => ({
  ...{ resourceType: 'AllergyIntolerance', clinicalStatus: concept('active'), code: { text } },
  ...rest,
});

const noneKnown = allergy('', { code: { coding: [{ code: '716186003', display: 'No known allergy' }] } });

const textsOf = (...allergies: readonly Allergy[]) => listAllergies(allergies).map(({ text }) => text);

test('an allergy is shown with its risk, the greatest first', () => {
  const listed = listAllergies([
    allergy('Pollen', { criticality: 'low' }),
    allergy('Latex', { criticality: 'unable-to-assess' }),
    allergy('Penicillin', { criticality: 'high', verificationStatus: concept('confirmed') }),
  ]);
  expect(listed).toEqual([
    { text: 'Penicillin (high risk)', isHighRisk: true },
    { text: 'Pollen (low risk)', isHighRisk: false },
    { text: 'Latex', isHighRisk: false },
  ]);
});

test('one that is recorded twice is shown once', () => {
  expect(textsOf(allergy('Nuts'), allergy('Nuts'))).toEqual(['Nuts']);
});

test.each(['entered-in-error', 'refuted'])('one that is %s is not shown', (status) => {
  expect(textsOf(allergy('Nuts', { verificationStatus: concept(status) }), allergy('Eggs'))).toEqual([
    'Eggs',
  ]);
});

test('one that is not confirmed, or no danger now, says so, and is behind the others', () => {
  expect(
    textsOf(
      allergy('Milk', { clinicalStatus: concept('resolved'), criticality: 'high' }),
      allergy('Nuts', { verificationStatus: concept('unconfirmed'), criticality: 'high' }),
      allergy('Eggs', { clinicalStatus: undefined }),
    ),
  ).toEqual(['Nuts (high risk, unconfirmed)', 'Eggs', 'Milk (high risk, resolved)']);
});

test('that no allergy is known is shown only if it is recorded, and nothing contradicts it', () => {
  expect(textsOf()).toEqual([]);
  expect(textsOf(noneKnown)).toEqual(['No known allergy']);
  expect(textsOf(noneKnown, allergy('Nuts'))).toEqual(['Nuts']);
  expect(textsOf(noneKnown, allergy('Nuts', { verificationStatus: concept('refuted') }))).toEqual([
    'No known allergy',
  ]);
  expect(textsOf({ ...noneKnown, clinicalStatus: concept('inactive') })).toEqual([]);
});
