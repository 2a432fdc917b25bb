import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A link that counts what it leads to, such as `[150 lines](../examples/day-clinic/README.md)`. */
const countPattern = /\[(?<count>[\d,]+) lines\]\((?<path>[^)#:]+)\)/g;

/** How many lines a file has; for a README, the TypeScript beside it, without tests. */
const countLines = (path: string): number => {
  const files = path.endsWith('README.md')
    ? globSync(`${dirname(path)}/**/*.ts`, { exclude: ['**/node_modules', '**/test'] })
    : [path];
  return files.reduce((lines, file) => lines + readFileSync(file, 'utf8').split('\n').length - 1, 0);
};

/** The counts of lines in a document that differ from what they count, which is rounded to ten. */
export const findWrongCounts = (name: string, document: string): readonly string[] =>
  Array.from(document.matchAll(countPattern)).flatMap(({ groups: { count = '', path = '' } = {} }) => {
    const target = join(dirname(name), path);
    if (!existsSync(target)) return [];
    const lines = countLines(target);
    const rounded = Math.round(lines / 10) * 10;
    return Number(count.replace(',', '')) === rounded
      ? []
      : [`says ${count} lines of ${target}, which has ${lines}`];
  });
