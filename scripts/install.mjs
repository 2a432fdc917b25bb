import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

// Installs the dependencies with pnpm, and shows how far it is. It also runs on a Node that knows no TypeScript.
//
// `--demo` installs only what the examples need, without the tools of the developers. A whole installation stays whole.
// There, the packages find their peers in the root, because all packages are linked there. So a whole installation is a new one.

const isWhole = existsSync('node_modules/.bin/vitest');
const isDemo = process.argv.includes('--demo') && !isWhole;

const npx = ['--loglevel=error', '--yes', 'pnpm@12.21.0'];
const install = ['install', '--frozen-lockfile', '--reporter=ndjson', '--config.confirm-modules-purge=false'];
const demo = ['--prod', '--shamefully-hoist', '--filter', 'clinical-records', '--filter-prod', '{./examples/*}...'];

const { stderr: screen } = process;
const isFirst = !existsSync('node_modules/.modules.yaml');

if (isFirst) screen.write(`Installing ${isDemo ? 'what the demo needs' : 'all dependencies'}, this once …\n`);

const counts = { resolved: 0, imported: 0 };
const showCounts = () => {
  if (screen.isTTY) screen.write(`\r${counts.imported} of ${counts.resolved} packages`);
};

/** An event of pnpm, or a line of npx. */
const showLine = (line) => {
  if (!line.startsWith('{')) return screen.write(`${line}\n`);
  const { name, level, status, message, err } = JSON.parse(line);
  if (level === 'error') screen.write(`\n${err?.message ?? message}\n`);
  if (name !== 'pnpm:progress' || !(status in counts)) return;
  counts[status] += 1;
  if (counts.imported > 0) showCounts();
};

const child = spawn('npx', [...npx, ...install, ...(isDemo ? demo : [])], {
  stdio: ['ignore', 'pipe', 'pipe'],
  shell: process.platform === 'win32',
});
for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', showLine);

child.on('close', (code) => {
  if (code === 0 && counts.imported > 0)
    screen.write(`${screen.isTTY ? '\r' : ''}${counts.imported} packages are installed.\n`);
  process.exitCode = code ?? 1;
});
