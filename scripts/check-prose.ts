import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { passagesOfMarkdown, passagesOfSource, passagesOfTitles } from './prose/passages.ts';
import { faultsOfProse } from './prose/rules.ts';

const documents = [
  '*.md',
  'docs/*.md',
  'site/*.md',
  '.changeset/*.md',
  'packages/*/README.md',
  'examples/*/README.md',
];
const sources = ['packages/*/{src,test}/**/*.ts', 'examples/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'];
const tests = ['{packages,examples}/*/test/**/*.test.ts', 'scripts/test/*.test.ts'];

/** The rules and their test name the banned phrases. */
const exclude = ['**/node_modules/**', 'scripts/prose/rules.ts', 'scripts/test/check-prose.test.ts'];

const check = (patterns: readonly string[], passagesOf: typeof passagesOfMarkdown): void => {
  for (const name of globSync([...patterns], { exclude }).toSorted()) {
    for (const { line, text } of passagesOf(readFileSync(name, 'utf8'))) {
      for (const wrong of faultsOfProse(text)) {
        console.error(`${name}:${line}: ${wrong}`);
        process.exitCode = 1;
      }
    }
  }
};

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;

if (only !== 'sources') check(documents, passagesOfMarkdown);
if (only !== 'documents') {
  check(sources, passagesOfSource);
  check(tests, passagesOfTitles);
}
