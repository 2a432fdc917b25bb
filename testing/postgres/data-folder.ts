import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import type { User } from './unprivileged-user.ts';

const run = promisify(execFile);

const cache = fileURLToPath(new URL('../../node_modules/.cache/postgres', import.meta.url));

const initdbFlags = ['--username=postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];

/** The place of the data folder that is kept for these programs. Other programs, flags or users have another one. */
const keptFolder = ({ initdb }: Binaries, user: User): string => {
  const { size, mtimeMs } = statSync(initdb);
  const origin = JSON.stringify([initdb, size, mtimeMs, initdbFlags, user]);
  return join(cache, createHash('sha256').update(origin).digest('hex'));
};

const copy = (from: string, to: string) => run('cp', ['-a', `${from}/.`, to]);

/** Makes a folder the data folder of a new server. `initdb` takes most of a start, so its result is kept and copied. */
export const fillDataFolder = async (path: string, binaries: Binaries, user: User): Promise<void> => {
  const kept = keptFolder(binaries, user);
  if (existsSync(kept)) {
    await copy(kept, path);
    return;
  }
  await run(binaries.initdb, ['-D', path, ...initdbFlags], { ...user, env: { LC_ALL: 'C' } });
  // Other processes see the whole folder or none.
  const copied = `${kept}.${randomUUID()}`;
  mkdirSync(copied, { recursive: true });
  await copy(path, copied);
  try {
    renameSync(copied, kept);
  } catch {
    // Another process was faster.
    rmSync(copied, { recursive: true });
  }
};
