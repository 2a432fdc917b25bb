import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { writeBills } from './packages/bill.ts';
import { readChangesets } from './packages/changesets.ts';
import { pack } from './packages/pack.ts';
import { newestNotes, releaseNotes } from './packages/release-notes.ts';
import { run, workspace } from './packages/run.ts';

// Publishes every package as npm would, without sending it, and writes the notes of the release to dist/release-notes.md, and
// the bills of materials to dist/sbom. With `--final`, a package that does not name its repository is an error, and so is a
// changeset that is not in the changelog.

const isFinal = process.argv.includes('--final');
const folder = mkdtempSync(join(tmpdir(), 'clinical-records-release-'));
try {
  const packages = await pack(folder);
  for (const { tarball, manifest } of packages) {
    await run(folder, 'npm', 'publish', tarball, '--dry-run', '--access', 'public', '--provenance=false');
    console.log(`${manifest.name} ${manifest.version}: ${basename(tarball)}`);
  }
  const unplaced = packages.filter(({ manifest }) => manifest.repository === undefined);
  if (unplaced.length > 0) {
    console.error(`${unplaced.length} packages name no repository: see CONTRIBUTING.md#publish.`);
    if (isFinal) process.exitCode = 1;
  }

  const dist = join(workspace, 'dist');
  mkdirSync(dist, { recursive: true });
  const bills = join(dist, 'sbom');
  rmSync(bills, { recursive: true, force: true });
  await writeBills(packages, bills);
  console.log(`dist/sbom: the bills of materials of ${packages.length} packages`);

  const changesets = readChangesets();
  if (changesets.length > 0 && isFinal) throw new Error('Changesets are left: npm run raise-versions.');
  const notes =
    changesets.length > 0
      ? releaseNotes(packages[0]?.manifest.version ?? '0.0.0', changesets)
      : newestNotes(readFileSync(join(workspace, 'CHANGELOG.md'), 'utf8'));
  writeFileSync(join(dist, 'release-notes.md'), notes);
  console.log(`dist/release-notes.md: ${notes.split('\n', 1)[0]}`);
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
