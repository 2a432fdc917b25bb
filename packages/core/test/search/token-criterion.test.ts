import { expect, test } from 'vitest';
import { parseTokenCriterion } from '../../src/search/parameters.ts';

test.each([
  ['1-8', { system: null, code: '1-8' }],
  ['http://loinc.org|1-8', { system: 'http://loinc.org', code: '1-8' }],
  ['http://loinc.org|', { system: 'http://loinc.org', code: null }],
  ['|1-8', { system: '', code: '1-8' }],
  ['a\\|b', { system: null, code: 'a|b' }],
  ['a\\|b|c\\,d', { system: 'a|b', code: 'c,d' }],
  ['a\\\\|b', { system: 'a\\', code: 'b' }],
])('%s is a token', (value, token) => {
  expect(parseTokenCriterion(value)).toEqual(token);
});

test.each(['', '|', 'a|b|c', '||', 'a||b', '\ud800', 'a|\udc00'])('%j is not a token', (value) => {
  expect(parseTokenCriterion(value)).toBeNull();
});
