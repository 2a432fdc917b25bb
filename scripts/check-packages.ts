import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consume, installNodes } from './packages/consume.ts';
import { checkDependencies, checkDocstrings, checkPaths, lint } from './packages/lint.ts';
import { pack } from './packages/pack.ts';
import { checkSizes, recordSizes } from './packages/sizes.ts';

// Packs every package as it is published, and checks only the tarballs.

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-packages-'));
try {
  const packages = await pack(folder);
  if (process.argv.includes('--record')) await recordSizes(packages);
  else await checkSizes(packages);
  checkDependencies(packages);
  checkDocstrings(packages);
  checkPaths(packages);
  for (const packed of packages) await lint(packed);
  const nodes = await installNodes(folder);
  for (const type of ['module', 'commonjs'] as const) await consume(type, { packages, folder, nodes });
  console.log(`${packages.length} packages are fit to be published.`);
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
