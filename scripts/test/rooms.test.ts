import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The sources of a package or an example, by their paths in its folder. */
const sourcesOf = (folder: string): ReadonlyMap<string, string> => {
  const cwd = `${root}${folder}/`;
  const files = globSync('**/*.{ts,tsx}', { cwd, exclude: ['**/node_modules', '**/generated', '**/test'] });
  return new Map(files.map((file) => [file.replaceAll('\\', '/'), readFileSync(cwd + file, 'utf8')]));
};

const countLines = (text: string): number => text.trimEnd().split('\n').length;

const importPattern = /^(?:import|export) (type )?(\{[^}]*\}|\* as \w+|\w+) from '(\.[^']+)'/gm;

/** The files that a file imports, also if it needs only their types. */
const importedFiles = (file: string, text: string): readonly string[] =>
  [...text.matchAll(importPattern)].map(([, , , path = '']) => join(dirname(file), path));

const isTypes = (names: string): boolean => /^\{(\s*type [^,}]+,?)+\s*\}$/.test(names);

/** The files whose values a file imports. A type leaves nothing at run time, so it may refer back. */
const importedValues = (file: string, text: string): readonly string[] =>
  [...text.matchAll(importPattern)].flatMap(([, type, names = '', path = '']) =>
    type !== undefined || isTypes(names) ? [] : [join(dirname(file), path)],
  );

/** The files that a file imports, and those that these import, and so on. */
const reachedFrom = (
  file: string,
  sources: ReadonlyMap<string, string>,
  importsOf: typeof importedFiles,
): ReadonlySet<string> => {
  const reached = new Set(importsOf(file, sources.get(file) ?? ''));
  for (const next of reached) for (const far of importsOf(next, sources.get(next) ?? '')) reached.add(far);
  return reached;
};

const rooms = [
  // A contract is a list of what is true, topic by topic.
  ...readdirSync(`${root}packages`)
    .filter((name) => name !== 'store-contract')
    .map((name) => `packages/${name}/src`),
  ...readdirSync(`${root}examples`).map((name) => `examples/${name}`),
];

describe.each(rooms)('the files of %s', (room) => {
  const sources = sourcesOf(room);

  test('none has more than 350 lines', () => {
    const long = [...sources].filter(([, text]) => countLines(text) > 350).map(([file]) => file);
    expect(long).toEqual([]);
  });

  test('none needs its own values by way of others', () => {
    const inCircle = [...sources.keys()].filter((file) =>
      reachedFrom(file, sources, importedValues).has(file),
    );
    expect(inCircle).toEqual([]);
  });

  test('no circle has more than five, even one of types', () => {
    const reached = new Map(
      [...sources.keys()].map((file) => [file, reachedFrom(file, sources, importedFiles)]),
    );
    const circles = Array.from(reached, ([file, others]) =>
      [...others].filter((other) => reached.get(other)?.has(file)).toSorted(),
    );
    const large = circles.filter((circle) => circle.length > 5).map(String);
    expect([...new Set(large)]).toEqual([]);
  });
});

test('no folder has more than 16 files', () => {
  const files = globSync('{packages,examples,testing,bench,scripts,site}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules', '**/generated', '**/dist'],
  });
  const folders = Map.groupBy(files, dirname);
  expect([...folders].filter(([, inside]) => inside.length > 16).map(([folder]) => folder)).toEqual([]);
});
