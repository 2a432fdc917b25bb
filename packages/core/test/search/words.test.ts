import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import { utc } from '../../src/fhir/date-time.ts';
import { foldWords, indexedKinds } from '../../src/search/index-entries.ts';
import { parseCondition } from '../../src/search/parameters.ts';
import { splitUnescaped } from '../../src/search/search-input.ts';

test.each([
  ['Bergström, Nils', ['bergstrom', 'nils']],
  ["O'Brien-Nguyễn", ['o', 'brien', 'nguyen']],
  ['Åse\u0301', ['ase']],
  ['İpek', ['ipek']],
  ['الزهراني فاطمة', ['الزهراني', 'فاطمة']],
  ['Ward 3b', ['ward', '3b']],
  [' - ', []],
])('the words of %j are %j', (text, words) => {
  expect(foldWords(text)).toEqual(words);
});

test('each word of some texts is an index entry, once, and without those that are too long', () => {
  expect(
    indexedKinds.string.entriesOf('name', ['Amy Shaw', 'AMY', 'x'.repeat(501), 'y'.repeat(500)]),
  ).toEqual(['amy', 'shaw', 'y'.repeat(500)].map((word) => ({ kind: 'string', parameter: 'name', word })));
});

describe('a value', () => {
  const parse = (value: string) =>
    parseCondition('name', {
      declared: { kind: 'string' },
      alternatives: splitUnescaped(',')(value),
      time: { zone: utc, now: 0 },
    });
  const conditionsOf = (value: string) => {
    const parsed = parse(value);
    return E.isLeft(parsed)
      ? parsed.left.rule
      : parsed.right.map((condition) => 'anyOf' in condition && condition.anyOf);
  };

  test.each([
    ['Shaw', [['shaw']]],
    ['Shaw Amy', [['shaw'], ['amy']]],
    ['shaw,lane', [['shaw', 'lane']]],
    [
      'amy shaw,ben lane',
      [
        ['amy', 'ben'],
        ['amy', 'lane'],
        ['shaw', 'ben'],
        ['shaw', 'lane'],
      ],
    ],
    ['shaw\\, amy', [['shaw'], ['amy']]],
    ['', 'search-string'],
    ['amy,-', 'search-string'],
    [`${'a b,'.repeat(5)}c`, 32],
    [`${'a b,'.repeat(5)}c d`, 'too-many-values'],
    ['a '.repeat(33), 'too-many-values'],
  ])('%j', (value, expected) => {
    const conditions = conditionsOf(value);
    expect(typeof expected === 'number' ? conditions.length : conditions).toEqual(expected);
  });
});
