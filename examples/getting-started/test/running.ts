import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const fileAt = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const textOf = (path: string): string => readFileSync(fileAt(path), 'utf8');

/** Does something in an empty folder, which is gone afterwards. */
export const inFolder = async <A>(work: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** What a file of this example prints in a folder. */
export const printed = async (file: string, folder: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [fileAt(file)], { cwd: folder });
  return stdout;
};

/** Runs a file that serves, until the work is done; `said` is what it had printed up to its address. */
export const whileServing = async <A>(
  file: string,
  work: (server: { readonly said: string; readonly origin: string }) => Promise<A>,
): Promise<A> =>
  inFolder(async (folder) => {
    const child = spawn(process.execPath, [fileAt(file)], {
      cwd: folder,
      env: { ...process.env, PORT: '0', FILE: join(folder, 'backend.db') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    try {
      let said = '';
      for await (const text of child.stdout.setEncoding('utf8')) {
        said += text;
        const origin = /http:\S+/.exec(said)?.[0];
        if (origin !== undefined) return await work({ said, origin });
      }
      throw new Error(`It ended before it served, and said: ${said}`);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });
