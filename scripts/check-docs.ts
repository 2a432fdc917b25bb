import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { structuredPatch } from 'diff';
import { findBrokenLinks } from './docs/find-broken-links.ts';
import { createFindMissingFiles } from './docs/find-missing-files.ts';
import { findWrongCounts } from './docs/find-wrong-counts.ts';

/** What is between `// #region name` and `// #endregion`, without the indentation that all of it shares. */
const regionOf = (lines: readonly string[], name: string): readonly string[] | null => {
  const isMark = (mark: string) => (line: string) => /^(?:\/\/|#) (#.*)$/.exec(line.trim())?.[1] === mark;
  const begin = lines.findIndex(isMark(`#region ${name}`)) + 1;
  const length = lines.slice(begin).findIndex(isMark('#endregion'));
  if (begin === 0 || length < 0) return null;
  const region = lines.slice(begin, begin + length);
  const indent = Math.min(...region.filter((line) => line !== '').map((line) => line.search(/\S/)));
  return region.map((line) => line.slice(indent));
};

/** The text of `path/to/file.ts`, or of `path/to/file.ts#region`; null if there is none. */
const readSnippet = (place: string): string | null => {
  const [path = '', region] = place.split('#');
  if (!existsSync(path)) return null;
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const shown = region === undefined ? lines : regionOf(lines, region);
  return shown && `${shown.join('\n')}\n`;
};

/** How `from.ts` becomes `to.ts`, with a line before and behind each change; null if one of them is missing. */
const diffOf = (from: string, to: string): string | null => {
  const [before, after] = [readSnippet(from), readSnippet(to)];
  if (before === null || after === null) return null;
  const { hunks } = structuredPatch(from, to, before, after, '', '', { context: 1 });
  return `${hunks.map(({ lines }) => lines.map((line) => line.trimEnd()).join('\n')).join('\n …\n')}\n`;
};

/** The text of `path`, of `path#region`, or of the change `from..to`. */
const readPlace = (place: string): string | null => {
  const [from = '', to] = place.split('..');
  return to === undefined ? readSnippet(from) : diffOf(from, to);
};

/** A fenced block that is not indented, with the line before it that names its source. */
const blockPattern =
  /(?<head>(?:^<!-- file: (?<place>\S+) -->\n)?^```(?<language>ts|js|json|sh|diff)\b.*\n)(?<code>[\s\S]*?)(?<foot>^```)$/gm;

type Block = { readonly [part in 'head' | 'language' | 'code' | 'foot']: string } & {
  readonly place?: string;
};

/** Returns a document with its blocks filled in, and what is wrong with the present blocks. */
const reviewDocument = (document: string) => {
  const differing: string[] = [];
  const issues: string[] = [];
  const text = document.replace(blockPattern, (...match) => {
    const { head, place, language, code, foot }: Block = match.at(-1);
    if (place === undefined) {
      if (language === 'ts') issues.push(`names no file above a ts block: ${code.split('\n')[0]}`);
      return head + code + foot;
    }
    const wanted = readPlace(place);
    if (wanted === null) issues.push(`names ${place}, and there is no such text`);
    else if (wanted !== code) differing.push(`differs from ${place}`);
    return head + (wanted ?? code) + foot;
  });
  return { text, differing, faults: issues };
};

const { write } = parseArgs({ options: { write: { type: 'boolean', default: false } } }).values;

const findMissingFiles = createFindMissingFiles();

for (const name of globSync([
  '*.md',
  'docs/*.md',
  'site/*.md',
  'packages/*/README.md',
  'examples/*/README.md',
])) {
  const document = readFileSync(name, 'utf8');
  const { text, differing, faults } = reviewDocument(document);
  if (write && differing.length > 0) {
    writeFileSync(name, text);
    console.log(`${name}: filled in, ${differing.length} of its blocks`);
  }
  const missing = [
    ...findBrokenLinks(name, document),
    ...findMissingFiles(name, document),
    ...findWrongCounts(name, document),
  ];
  for (const wrong of [...faults, ...(write ? [] : differing), ...missing]) {
    console.error(`${name}: ${wrong}`);
    process.exitCode = 1;
  }
}
