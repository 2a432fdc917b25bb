import { spawnSync } from 'node:child_process';

// Installs the tools of this folder, and generates the client of Prisma.

const folder = import.meta.dirname;

const run = (command: string, sent: readonly string[], env: NodeJS.ProcessEnv = {}): void => {
  const { status, stdout, stderr } = spawnSync(command, sent, {
    cwd: folder,
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(stdout + stderr);
  process.exit(status ?? 1);
};

run('npx', ['--loglevel=error', '--yes', 'pnpm@12.21.0', 'install', '--frozen-lockfile', '--loglevel=error']);
// It would download an engine for migrations, which nobody needs here.
run('node_modules/.bin/prisma', ['generate'], {
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  CHECKPOINT_DISABLE: '1',
});
