import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import type { PackedPackage } from './pack.ts';
import { run } from './run.ts';

/** The contract runs in vitest, which cannot be required. So it is published only as an ES module. */
const profileOf = ({ manifest }: PackedPackage) =>
  'require' in manifest.exports['.'] ? 'strict' : 'esm-only';

/** Checks a tarball with publint and attw. */
export const lint = async (packed: PackedPackage): Promise<void> => {
  const folder = dirname(packed.tarball);
  await run(folder, 'publint', 'run', packed.tarball, '--strict');
  await run(folder, 'attw', packed.tarball, '--profile', profileOf(packed));
};

/** The core may depend only on zod and fp-ts. */
export const checkDependencies = (packages: readonly PackedPackage[]): void => {
  const core = packages.find(({ manifest }) => manifest.name === '@clinical-records/core');
  const { dependencies, peerDependencies } = core?.manifest ?? {};
  assert.deepEqual(Object.keys({ ...dependencies, ...peerDependencies }).sort(), ['fp-ts', 'zod']);
};
