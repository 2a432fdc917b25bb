import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import { createPreconditionCheck, type Precondition } from '../../src/records/transact.ts';
import { refusal } from '../results.ts';

const modified = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const team = { version: 3, lastModified: modified };
const isMet = (precondition: Precondition) => E.isRight(createPreconditionCheck(precondition)(team));

test('an empty precondition is met', () => {
  expect(isMet({})).toBe(true);
});

describe('If-Unmodified-Since earlier than the last modification, compared in whole seconds', () => {
  test.each([
    ['a second before', -1_678, false],
    ['a millisecond before the second in which it was modified', -679, false],
    ['the second in which it was modified', -678, true],
    ['that very millisecond', 0, true],
    ['a second after', 1_000, true],
  ])('%s', (_what, difference, met) => {
    expect(isMet({ ifUnmodifiedSince: new Date(modified + difference) })).toBe(met);
  });
});

describe('If-Match', () => {
  test.each([
    ['its version', [3], true],
    ['its version among others', [1, 3], true],
    ['another version', [2], false],
    ['none', [], false],
  ])('%s', (_what, ifMatch, met) => {
    expect(isMet({ ifMatch })).toBe(met);
  });
});

test('an invalid date is not met, because the caller meant to be careful', () => {
  expect(isMet({ ifUnmodifiedSince: new Date('garbage') })).toBe(false);
});

test('both unmet preconditions are reported at once', () => {
  expect(refusal(createPreconditionCheck({ ifMatch: [1], ifUnmodifiedSince: new Date(0) })(team))).toEqual([
    'PreconditionFailed',
    'if-match',
    'if-unmodified-since',
  ]);
});

test('a precondition is read when it is created, so later changes of the object have no effect', () => {
  const ifMatch = [2];
  const ifUnmodifiedSince = new Date(0);
  const demanded = createPreconditionCheck({ ifMatch, ifUnmodifiedSince });
  ifMatch.push(3);
  ifUnmodifiedSince.setTime(modified);
  expect(refusal(demanded(team))).toEqual(['PreconditionFailed', 'if-match', 'if-unmodified-since']);
});
