import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import type { PackedPackage } from './pack.ts';
import { run } from './run.ts';

/** The contract runs in vitest, which cannot be required: so it is published as an ES module alone. */
const profileOf = ({ manifest }: PackedPackage) =>
  'require' in manifest.exports['.'] ? 'strict' : 'esm-only';

/** Has publint and attw look at a tarball. */
export const lint = async (packed: PackedPackage): Promise<void> => {
  const folder = dirname(packed.tarball);
  await run(folder, 'publint', 'run', packed.tarball, '--strict');
  await run(folder, 'attw', packed.tarball, '--profile', profileOf(packed));
};

/** The core stands on zod and fp-ts alone. */
export const checkDependencies = (packages: readonly PackedPackage[]): void => {
  const core = packages.find(({ manifest }) => manifest.name === '@clinical-records/core');
  const { dependencies, peerDependencies } = core?.manifest ?? {};
  assert.deepEqual(Object.keys({ ...dependencies, ...peerDependencies }).sort(), ['fp-ts', 'zod']);
};
