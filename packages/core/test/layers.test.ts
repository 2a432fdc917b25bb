import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The folders and files of the core from the bottom up. Those of one line do not import each other. */
const layers: readonly (readonly string[])[] = [
  ['store'],
  ['errors.ts'],
  ['outcome.ts', 'fhir'],
  ['environment.ts', 'search'],
  ['access'],
  ['records'],
  ['directory', 'provenance'],
  ['chart'],
  ['importer'],
  ['resource-definition.ts'],
  ['care-team', 'goal', 'immunization', 'service-request', 'verify'],
  ['resources.ts'],
  ['changes', 'check-commit.ts', 'copy', 'corrections', 'description', 'exporter'],
  ['options.ts', 'reindex'],
  ['audit'],
  ['clinical-records.ts'],
  ['fp-ts.ts'],
  ['transaction.ts'],
  ['create-records.ts'],
  ['index.ts', 'rules.ts', 'store.ts', 'testing.ts'],
];

/** Gathers the names of all rules from their catalogues, by types only: the one file that every layer may use. */
const gathersTypes = 'issue-rule.ts';

const sources = fileURLToPath(new URL('../src/', import.meta.url));
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && file !== gathersTypes);
const memberOf = (file: string): string => file.split('/')[0] ?? '';
const layerOf = (file: string): number => layers.findIndex((layer) => layer.includes(memberOf(file)));

/** The files of the core that a file imports. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(sources + file, 'utf8').matchAll(/ from '(\.[^']+)'/g)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((imported) => imported !== gathersTypes);

test('every file of the core belongs to a layer', () => {
  expect(files.filter((file) => layerOf(file) === -1)).toEqual([]);
});

test('a folder or file of the core imports only from the layers below it', () => {
  const arrowsUp = files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => memberOf(imported) !== memberOf(file) && layerOf(imported) >= layerOf(file))
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(arrowsUp).toEqual([]);
});

test('the file that gathers the names of the rules imports types only', () => {
  const imports = readFileSync(sources + gathersTypes, 'utf8').match(/^import .*$/gm) ?? [];
  expect(imports.filter((line) => !line.startsWith('import type '))).toEqual([]);
});
