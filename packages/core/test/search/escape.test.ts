import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { removeEscapes, splitUnescaped } from '../../src/search/search-input.ts';

describe('a separator splits, and a backslash escapes it', () => {
  test.each([
    ['', ['']],
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    [',', ['', '']],
    ['a,,b', ['a', '', 'b']],
    ['a\\,b', ['a\\,b']],
    ['a\\\\,b', ['a\\\\', 'b']],
    ['a\\\\\\,b', ['a\\\\\\,b']],
    ['a\\|b,c|d', ['a\\|b', 'c|d']],
    ['a\nb,c', ['a\nb', 'c']],
    ['a\\', ['a\\']],
    ['\u{1f600},\ud800', ['\u{1f600}', '\ud800']],
  ])('%j', (value, parts) => {
    expect(splitUnescaped(',')(value)).toEqual(parts);
  });

  test('the given separator splits', () => {
    expect(splitUnescaped('|')('a,b|c\\|d')).toEqual(['a,b', 'c\\|d']);
  });
});

test.each([
  ['a', 'a'],
  ['a\\,b', 'a,b'],
  ['a\\|b', 'a|b'],
  ['a\\$b', 'a$b'],
  ['a\\\\b', 'a\\b'],
  ['\\\\,', '\\,'],
  ['a\\b', 'a\\b'],
  ['a\\', 'a\\'],
])('%j means %j', (value, said) => {
  expect(removeEscapes(value)).toBe(said);
});

test('a text that is escaped, joined and split is the same', () => {
  const escaped = (text: string) => text.replace(/[,|$\\]/g, '\\$&');
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', ',', '|', '$', '\\', '\u00e9') }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(fc.constantFrom(',' as const, '|' as const), texts, (separator, parts) => {
      const value = parts.map(escaped).join(separator);
      expect(splitUnescaped(separator)(value).map(removeEscapes)).toEqual(parts);
    }),
  );
});
