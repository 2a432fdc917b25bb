import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The commands of an example's README, in their order: one starts the server, one reads a care team. */
export const commandsOf = (example: string): { readonly command: string; readonly request: string } => {
  const readme = readFileSync(join(root, 'examples', example, 'README.md'), 'utf8');
  const [command = '', request = ''] = Array.from(
    readme.matchAll(/^ {4}(\S.*)$/gm),
    ([, line]) => line ?? '',
  );
  return { command, request };
};

const killChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
};

/** A running host; `said` is what it printed up to its address. */
export type RunningHost = {
  readonly output: string;
  readonly origin: string;
  readonly stop: () => Promise<void>;
};

/** Runs the command of a README, on a free port and with a file of its own. */
export const startHost = async (command: string, env: NodeJS.ProcessEnv = {}): Promise<RunningHost> => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  const child = spawn(process.execPath, command.split(' ').slice(1), {
    cwd: root,
    env: { ...process.env, PORT: '0', FILE: join(folder, 'clinic.db'), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    await killChild(child);
    rmSync(folder, { recursive: true });
  };
  return new Promise<RunningHost>((resolve, reject) => {
    let output = '';
    child.once('exit', (code) => reject(new Error(`The host ended with ${code}, and printed: ${output}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [origin] = /http:\S+(?=\n)/.exec(output) ?? [];
      if (origin !== undefined) resolve({ output, origin, stop });
    });
  }).catch(async (cause) => {
    await stop();
    throw cause;
  });
};
