import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChangesets } from './packages/changesets.ts';
import { releaseNotes } from './packages/release-notes.ts';
import { workspace } from './packages/run.ts';

// Writes the notes of the next release to the beginning of CHANGELOG.md, before the changesets are removed.

const { version } = JSON.parse(readFileSync(join(workspace, 'packages/core/package.json'), 'utf8'));
const changelog = join(workspace, 'CHANGELOG.md');
const earlier = existsSync(changelog) ? `\n${readFileSync(changelog, 'utf8')}` : '';
writeFileSync(changelog, `${releaseNotes(version, readChangesets())}${earlier}`);
