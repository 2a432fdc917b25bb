import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { coreOf, type PackedPackage } from './pack.ts';
import { workspace } from './run.ts';

const file = `${workspace}package-sizes.json`;

/** Bytes, by the name of a package or an entry, and by what is measured. */
type Sizes = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The limit that docs/architecture.md promises. */
const maxRules = 60_000;

/** The bytes of all rules with all that they import, as a page of a host would load them. */
const bundleRules = async ({ folder }: PackedPackage): Promise<number> => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from './dist/rules.js';`, resolveDir: folder },
    nodePaths: [join(workspace, 'packages/core/node_modules')],
    ...{ bundle: true, minify: true, format: 'esm', write: false, logLevel: 'error' },
  });
  const minified = outputFiles[0]?.contents.length ?? 0;
  assert(minified < maxRules, `The rules are ${minified} bytes in a bundle: ${maxRules} or more.`);
  return minified;
};

const measure = async (packages: readonly PackedPackage[]): Promise<Sizes> => ({
  ...Object.fromEntries(packages.map(({ manifest, size }) => [manifest.name, size])),
  '@clinical-records/core/rules': { minified: await bundleRules(coreOf(packages)) },
});

export const recordSizes = async (packages: readonly PackedPackage[]): Promise<void> => {
  writeFileSync(file, `${JSON.stringify(await measure(packages), null, 2)}\n`);
};

/** Throws if a package, or the rules, are larger by a tenth or more than recorded. */
export const checkSizes = async (packages: readonly PackedPackage[]): Promise<void> => {
  const recorded: Sizes = JSON.parse(readFileSync(file, 'utf8'));
  const grown = Object.entries(await measure(packages)).flatMap(([name, sizes]) =>
    Object.entries(sizes)
      .map(([measured, now]) => ({ measured, before: recorded[name]?.[measured] ?? 0, now }))
      .filter(({ before, now }) => now >= before * 1.1)
      .map(({ measured, before, now }) => `${name} ${measured}: ${before} bytes recorded, ${now} now`),
  );
  if (grown.length === 0) return;
  const advice = 'If that is intended: npm run check:packages -- --record';
  throw new Error([`Grown by a tenth or more:`, ...grown, advice].join('\n'));
};
