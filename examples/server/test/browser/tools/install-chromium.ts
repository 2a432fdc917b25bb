import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { executablePath } from './chromium.ts';

const packages = ['chromium-headless-shell', 'fonts-liberation'];

const aptGet = (...args: readonly string[]) =>
  execFileSync('apt-get', ['-qq', ...args], {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });

/** Installs Debian's Chromium where it is missing, before the tests. */
export const setup = () => {
  if (existsSync(executablePath)) return;
  if (process.getuid?.() !== 0) {
    throw new Error(`There is no ${executablePath}. Install it: sudo apt-get install ${packages.join(' ')}`);
  }
  aptGet('update');
  aptGet('install', '--yes', '--no-install-recommends', ...packages);
};
