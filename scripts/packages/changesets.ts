import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from './run.ts';

/** The texts of the changesets that are not released yet. */
export const readChangesets = (): readonly string[] =>
  globSync('.changeset/*.md', { cwd: workspace })
    .sort()
    .map((name) => readFileSync(join(workspace, name), 'utf8'));
