import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { coreOf, type PackedPackage } from './pack.ts';
import { run, workspace } from './run.ts';

/** Checks a tarball with publint and attw. Each package is published only as an ES module. */
export const lint = async (packed: PackedPackage): Promise<void> => {
  const folder = dirname(packed.tarball);
  await run(folder, 'publint', 'run', packed.tarball, '--strict');
  await run(folder, 'attw', packed.tarball, '--profile', 'esm-only');
};

/** No file that is published names the folder in which it was built. */
export const checkPaths = (packages: readonly PackedPackage[]): void => {
  for (const { folder } of packages) {
    const naming = globSync('**/*.*', { cwd: folder }).filter((name) =>
      readFileSync(join(folder, name), 'utf8').includes(workspace),
    );
    assert.deepEqual(naming, [], `These files of ${folder} name ${workspace}.`);
  }
};

/** An editor shows the docstring of an element only if the declarations have it. */
export const checkDocstrings = (packages: readonly PackedPackage[]): void => {
  const folder = join(coreOf(packages).folder, 'dist');
  // Entries share declarations, which are in files of their own.
  const files = readdirSync(folder).filter((name) => name.endsWith('.d.ts'));
  assert.match(
    files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n'),
    /\/\*\* The goal in words\. \*\/\s+description: z\.ZodString;/,
  );
};

/** The core may depend only on zod and fp-ts. */
export const checkDependencies = (packages: readonly PackedPackage[]): void => {
  const { dependencies, peerDependencies } = coreOf(packages).manifest;
  assert.deepEqual(Object.keys({ ...dependencies, ...peerDependencies }).sort(), ['fp-ts', 'zod']);
};
