import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from '../src/contract.ts';
import { explanations, testsBySentence, untestableSentences } from './tests-by-sentence.ts';

const files = [
  'port.ts',
  'call-context.ts',
  'store-error.ts',
  'transaction.ts',
  'query.ts',
  'index-entry.ts',
];

/** The sentences of all docstrings of a file. */
const sentencesOf = (file: string): readonly string[] =>
  [
    ...readFileSync(new URL(`../../core/src/store/${file}`, import.meta.url), 'utf8').matchAll(
      /\/\*\*(.*?)\*\//gs,
    ),
  ]
    .map(([, text = '']) =>
      text
        .replace(/^\s*\*/gm, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .flatMap((text) => text.split(/(?<=[.;:])\s+(?=[A-Z`])/));

const sentences = new Set(files.flatMap(sentencesOf));

const known = new Set([...Object.keys(testsBySentence), ...explanations, ...untestableSentences]);

test("every sentence of the port's documentation has a test, explains a name, or is for a store's own tests", () => {
  expect([...sentences].filter((one) => !known.has(one))).toEqual([]);
});

test('nothing is required of a store that the documentation of the port does not say', () => {
  expect([...known].filter((sentence) => !sentences.has(sentence))).toEqual([]);
});

test('every test that a sentence names is a test of the contract', () => {
  const titles = new Set(contract.flatMap(({ tests }) => tests.map(({ title }) => title)));
  const named = Object.values(testsBySentence).flat();
  expect(named.filter((title) => !titles.has(title))).toEqual([]);
});
