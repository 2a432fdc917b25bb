import { readFileSync, writeFileSync } from 'node:fs';
import type { PackedPackage } from './pack.ts';
import { workspace } from './run.ts';

const file = `${workspace}package-sizes.json`;

type Sizes = Readonly<Record<string, PackedPackage['size']>>;

/** Records the sizes of the packages. */
export const recordSizes = (packages: readonly PackedPackage[]): void => {
  const sizes: Sizes = Object.fromEntries(packages.map(({ manifest, size }) => [manifest.name, size]));
  writeFileSync(file, `${JSON.stringify(sizes, null, 2)}\n`);
};

/** Throws if a package is larger by a tenth or more than its recorded size. */
export const checkSizes = (packages: readonly PackedPackage[]): void => {
  const recorded: Sizes = JSON.parse(readFileSync(file, 'utf8'));
  const grown = packages.flatMap(({ manifest: { name }, size }) =>
    (['packed', 'unpacked'] as const)
      .map((measure) => ({ measure, before: recorded[name]?.[measure] ?? 0, now: size[measure] }))
      .filter(({ before, now }) => now >= before * 1.1)
      .map(({ measure, before, now }) => `${name} ${measure}: ${before} bytes recorded, ${now} now`),
  );
  if (grown.length === 0) return;
  const advice = 'If that is intended: npm run check:packages -- --record';
  throw new Error([`Grown by a tenth or more:`, ...grown, advice].join('\n'));
};
