import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const children: ChildProcess[] = [];

/** Runs a file of an example in a process of its own. */
export const run = (file: URL, ...args: readonly string[]) => {
  const child = spawn(process.execPath, [fileURLToPath(file), ...args], {
    env: { ...process.env, EVERY: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
};

/** Runs a file of an example to its end, and returns its exit code and what it printed on standard error. */
export const runToEnd = (file: URL, ...args: readonly string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(file), ...args], {
    encoding: 'utf8',
    // A process that does not end fails its test.
    timeout: 30_000,
  });
  return { code: status, err: stderr };
};

export const waitForEnd = async (child: ChildProcess): Promise<NodeJS.Signals | number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode ?? child.exitCode;
};

/** Ends what still runs. */
export const endAll = async (): Promise<void> => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    await waitForEnd(child);
  }
};
