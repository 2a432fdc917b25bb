import { expect, test } from 'vitest';
import { countsInWords, isSameName, leftBehind } from '../src/model/corrections.ts';

const patients = { patientId: 'a', patientVersion: 1, toPatientId: 'b', toPatientVersion: 1 };

test.each([
  [{}, 0, 0, 'no records'],
  [{ Goal: 1 }, 0, 0, '1 goal'],
  [{ ServiceRequest: 3, Goal: 1 }, 2, 1, '3 orders, 1 goal, 2 drafts and 1 member of the care team'],
  [{ Condition: 2 }, 0, 0, '2 records of the type Condition'],
])(
  'what a merge moves is said in words: %j, %d staged, %d participants',
  (counts, staged, participants, words) => {
    expect(countsInWords({ ...patients, counts, staged, participants })).toBe(words);
  },
);

test('what a move leaves out is said in words, each once', () => {
  expect(leftBehind(['encounter', 'reasonReference', 'reasonCode', 'other'])).toBe(
    'the encounter, the reasons, “other”',
  );
});

const nils = { name: [{ family: 'Bergström', given: ['Nils'] }] };

test.each([
  ['Nils Bergström', true],
  ['bergstrom, nils', true],
  ['Bergström', false],
  ['Nils Berg', false],
  ['', false],
])('%j is the name that is to be typed: %s', (typed, isSame) => {
  expect(isSameName(typed, nils)).toBe(isSame);
});
