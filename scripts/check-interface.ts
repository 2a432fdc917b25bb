import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Sentence, sentences } from '../packages/http-adapter/test/interface/sentences.ts';
import { decisionSentences } from '../packages/http-adapter/test/interface/sentences-of-decisions.ts';

const folders = ['interface', 'library'].map((name) =>
  fileURLToPath(new URL(`../packages/http-adapter/test/${name}/`, import.meta.url)),
);

/** A quoted text where a title stands: first in a call of a test's function, or first in a row of a table of tests. */
const quoted =
  /(?:\b(?:test|describe|onEveryStore)\(|\)\(|\[)\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/gs;

const textsIn = (source: string): readonly string[] =>
  [...source.matchAll(quoted)].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replaceAll(/\\(.)/gs, '$1'),
  );

const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => textsIn(readFileSync(`${folder}${name}`, 'utf8'))),
);

/** A sentence has its test where a file about its section has a title that holds it. */
const isTested = ({ section, sentence }: Sentence): boolean =>
  files.some(
    (texts) => texts.includes(section) && texts.some((text) => text !== section && text.includes(sentence)),
  );

const untested = sentences.filter((one) => !isTested(one));
for (const { section, sentence } of untested) console.error(`No test: ${section}: ${sentence}`);
console.log(`${sentences.length - untested.length} of ${sentences.length} sentences have a test.`);

const folded = (text: string): string => text.replaceAll(/\s+/g, ' ');
const page = folded(readFileSync(new URL('../docs/decisions.md', import.meta.url), 'utf8'));

/** A decision whose words the page does not have: one of the two says what is no longer so. */
const unrecorded = Object.values(decisionSentences)
  .flat()
  .filter((sentence) => !page.includes(folded(sentence)));
for (const sentence of unrecorded) console.error(`Not in docs/decisions.md: ${sentence}`);

process.exitCode = untested.length + unrecorded.length === 0 ? 0 : 1;
