import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { until } from './until.ts';

const entry = fileURLToPath(new URL('../server.ts', import.meta.url));

const children: ChildProcess[] = [];
const folders: string[] = [];

/** Ends what still runs, and takes the folders away: each file of tests has it run after all of them. */
export const endAll = async (): Promise<void> => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
};

/** A folder that is gone after the tests. */
export const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'clinical-records-'));
  folders.push(folder);
  return folder;
};

const node: readonly string[] = [process.execPath, entry];

const spawnCommand = ([command = '', ...args]: readonly string[], cwd: string) => {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, printed, ended };
};

const runCommand = async (command: readonly string[]) => {
  const { printed, ended } = spawnCommand(command, await newFolder());
  const code = await ended;
  return { code, ...printed };
};

/** Runs the server until it ends, and returns what it printed and its exit code. */
export const runToEnd = (...args: readonly string[]) => runCommand([...node, ...args]);

/** The same where no file can grow beyond so many blocks of 512 bytes, as if the disk were full. */
export const runOnFullDisk = (blocks: number, ...args: readonly string[]) =>
  runCommand(['sh', '-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', ...node, ...args]);

const greetingPattern =
  /^Clinical records at (?<address>\S+)\n(?:Token: (?<token>\S+))?[\s\S]*Try:\n(?<lines>(?: {2}curl .*\n){3})/m;

/** Starts the server on a free port, and waits until it has printed its address and its three lines. */
export const startServer = async (args: readonly string[], folder: string) => {
  const { child, printed, ended } = spawnCommand([...node, '--port', '0', ...args], folder);
  const greeting = new Promise<RegExpExecArray>((resolve) => {
    child.stdout.on('data', () => {
      const match = greetingPattern.exec(printed.out);
      if (match !== null) resolve(match);
    });
  });
  const premature = ended.then((code) => {
    throw new Error(`The server ended with ${code}: ${printed.err}`);
  });
  const { address = '', token = '', lines = '' } = (await Promise.race([greeting, premature])).groups ?? {};
  return {
    address,
    token,
    printed,
    lines: lines.trimEnd().split('\n'),
    pid: child.pid,
    signal: (name: NodeJS.Signals) => child.kill(name),
    ended: () => ended,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
    /** Its URLs are without the address, which is another one at each start. */
    get: async (path: string, bearer = token) => {
      const response = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
      const text = await response.text();
      return { status: response.status, body: JSON.parse(text.replaceAll(address, '')) };
    },
  };
};

/** Starts the server, and kills it at the first moment at which something is so, such as what it has printed. */
export const killWhen = async (
  isSo: (printed: { readonly out: string; readonly err: string }) => boolean,
  args: readonly string[],
  folder: string,
) => {
  const { child, printed, ended } = spawnCommand([...node, '--port', '0', ...args], folder);
  await until(() => isSo(printed) || child.exitCode !== null || child.signalCode !== null);
  child.kill('SIGKILL');
  await ended;
};

/** The output of a line that is pasted into a shell. */
export const runInShell = async (line: string, env: NodeJS.ProcessEnv = {}): Promise<string> =>
  (await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, ...env } })).stdout;
