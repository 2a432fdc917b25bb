import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from './packages/pack.ts';
import { releaseNotes } from './packages/release-notes.ts';
import { run, workspace } from './packages/run.ts';

// Publishes every package as npm would, without sending it, and writes the notes of the release to dist/release-notes.md.
// With `--final`, a package that does not name its repository is an error.

const isFinal = process.argv.includes('--final');
const folder = mkdtempSync(join(tmpdir(), 'clinical-records-release-'));
try {
  const packages = await pack(folder);
  for (const { tarball, manifest } of packages) {
    await run(folder, 'npm', 'publish', tarball, '--dry-run', '--access', 'public', '--provenance=false');
    console.log(`${manifest.name} ${manifest.version}: ${tarball.slice(folder.length + 1)}`);
  }
  const unplaced = packages.filter(({ manifest }) => manifest.repository === undefined);
  if (unplaced.length > 0) {
    console.error(`${unplaced.length} packages name no repository: see CONTRIBUTING.md#publish.`);
    if (isFinal) process.exitCode = 1;
  }

  const changesets = globSync('.changeset/*.md', { cwd: workspace }).sort();
  const texts = changesets.map((name) => readFileSync(join(workspace, name), 'utf8'));
  mkdirSync(join(workspace, 'dist'), { recursive: true });
  const version = packages[0]?.manifest.version ?? '0.0.0';
  writeFileSync(join(workspace, 'dist/release-notes.md'), releaseNotes(version, texts));
  console.log(`dist/release-notes.md: the notes of ${texts.length} changesets`);
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
