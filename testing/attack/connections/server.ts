import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../../examples/server/server.ts', import.meta.url));

/** The flags of `npm start`: see bench/figures.md#method. */
const flagsOfV8 = ['--max-semi-space-size=8', '--no-allocation-site-pretenuring'];

const flags = (folder: string, filename: string) => ({
  args: [...flagsOfV8, entry, '--port', '0', '--empty', '--data', filename],
  options: { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] },
});

export type AttackedServer = {
  readonly port: number;
  readonly token: string;
  readonly isAlive: () => boolean;
  readonly mebibytes: () => number;
  readonly peakMebibytes: () => number;
  /** The number of these connections that the server still has open. */
  readonly countOf: (sockets: readonly Socket[]) => number;
  readonly holdsNone: (sockets: readonly Socket[]) => boolean;
  readonly stop: () => Promise<void>;
};

/** Reads the port and the token that the server prints when it listens. */
const readAddress = async (stdout: Readable): Promise<Pick<AttackedServer, 'port' | 'token'>> => {
  let printed = '';
  for await (const text of stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += text;
    const match = /at http:\/\/127\.0\.0\.1:(\d+)[\s\S]*Token: (\S+)\n/.exec(printed);
    if (match !== null) return { port: Number(match[1]), token: match[2] ?? '' };
  }
  return { port: 0, token: '' };
};

/** Starts the example server in a process of its own, and watches it through Linux's files in /proc. */
export const startServer = async (folder: string, filename: string): Promise<AttackedServer> => {
  const { args, options } = flags(folder, filename);
  const child = spawn(process.execPath, args, options);
  const { port, token } = await readAddress(child.stdout);
  child.stdout.resume();

  const memory = (line: string): number => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    const [, kibibytes = '0'] = new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(status) ?? [];
    return Math.round(Number(kibibytes) / 1024);
  };

  /**
   * The open sockets of the process. The system may have more, but their unread bytes no longer belong to the process.
   */
  const inodes = (): ReadonlySet<string> =>
    new Set(
      readdirSync(`/proc/${child.pid}/fd`).map((fd) => {
        try {
          return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${child.pid}/fd/${fd}`))?.[1] ?? '';
        } catch {
          return '';
        }
      }),
    );

  /** The ports of the clients with an open connection to the process. */
  const clientPorts = (): ReadonlySet<number> => {
    const own = inodes();
    const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
    const fields = lines.map((line) => line.trim().split(/\s+/));
    const portOf = (address = '') => Number.parseInt(address.slice(-4), 16);
    return new Set(
      fields
        .filter(([, local, , , , , , , , inode = '']) => portOf(local) === port && own.has(inode))
        .map(([, , remote]) => portOf(remote)),
    );
  };

  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;

  const countOf = (sockets: readonly Socket[]): number => {
    const ports = clientPorts();
    return sockets.filter(({ localPort = -1 }) => ports.has(localPort)).length;
  };

  return {
    ...{ port, token, isAlive, countOf },
    mebibytes: () => memory('VmRSS'),
    peakMebibytes: () => memory('VmHWM'),
    holdsNone: (sockets) => countOf(sockets) === 0,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};
