import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from './packages/pack.ts';
import { run, workspace } from './packages/run.ts';

// Installs the packed tarballs, and runs the same app on each runtime and each database, as npm gives them to a user.

const installed = [
  ...['better-sqlite3@13.2.0', 'libsql@0.5.29', 'pg@8.23.1'],
  ...['@electric-sql/pglite@0.5.14', '@electric-sql/pglite-socket@0.2.17'],
  ...['bun@1.4.5', 'deno@2.9.6', 'workerd@1.20261117.1', 'esbuild@0.28.2'],
];

const apps = [
  ['node', ['memory', 'better-sqlite3', 'node:sqlite', 'libsql', 'PGlite']],
  ['bun', ['memory', 'better-sqlite3', 'node:sqlite', 'bun:sqlite', 'PGlite']],
  ['deno', ['memory', 'better-sqlite3', 'node:sqlite', 'libsql', 'PGlite']],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-runtimes-'));
try {
  const packages = await pack(folder);
  const tarballs = packages
    .filter(({ manifest }) => !manifest.name.endsWith('/store-contract'))
    .map(({ tarball }) => tarball);
  const project = join(folder, 'runtimes');
  cpSync(join(workspace, 'scripts/runtimes'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await run(project, 'npm', 'install', '--no-audit', '--no-fund', ...tarballs, ...installed);
  const commands = {
    node: [process.execPath],
    bun: ['node_modules/.bin/bun'],
    deno: ['node_modules/.bin/deno', 'run', '--allow-all'],
  } as const;
  for (const [runtime, stores] of apps) {
    const [command, ...parameters] = commands[runtime];
    for (const store of stores) {
      await run(project, command, ...parameters, 'app.mjs', store);
      console.log(`${runtime} serves a clinic on ${store}.`);
    }
  }
  await run(project, process.execPath, 'test-worker.mjs');
  console.log('workerd serves a clinic on memory.');
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
