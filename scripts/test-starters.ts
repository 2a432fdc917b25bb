import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from './packages/pack.ts';
import { run, workspace } from './packages/run.ts';

// Installs the packed tarballs beside web frameworks, as npm does for a user, and reads a care team in each. A client whose types are
// made of the OpenAPI document reads it, too.

const used = ['core', 'http-adapter', 'store-sqlite'].map((name) => `@clinical-records/${name}`);
const frameworks = [
  ...['better-sqlite3@13', 'express@5.3.0', 'fastify@5.12.8', 'hono@4.13.19', '@hono/node-server@2.1.8'],
  ...['@nestjs/core@12.5.1', '@nestjs/common@12.5.1', '@nestjs/platform-express@12.5.1'],
  ...['reflect-metadata', 'rxjs', 'next@16.4.6', 'react', 'react-dom'],
  ...['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', '@types/node@24'],
];

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-starters-'));
try {
  const packages = await pack(folder);
  const tarballs = packages
    .filter(({ manifest }) => used.includes(manifest.name))
    .map(({ tarball }) => tarball);
  const project = join(folder, 'starters');
  cpSync(join(workspace, 'scripts/starters'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await run(project, 'npm', 'install', '--no-audit', '--no-fund', ...tarballs, ...frameworks);
  await run(project, process.execPath, 'node_modules/next/dist/bin/next', 'build');
  for (const framework of ['express', 'fastify', 'hono', 'nest', 'next']) {
    await run(project, process.execPath, 'read-care-team.mjs', framework);
    console.log(`${framework} reads a care team.`);
  }
  await run(project, process.execPath, 'write-openapi.mjs');
  await run(project, 'node_modules/.bin/openapi-typescript', 'openapi.json', '-o', 'clinic.d.ts');
  const strict = ['--strict', '--noEmit', '--allowJs', '--allowImportingTsExtensions'];
  await run(project, 'tsc', ...strict, '--module', 'nodenext', '--types', 'node', 'typed-client.ts');
  await run(project, process.execPath, 'typed-client.ts');
  console.log('A typed client reads a care team.');
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
