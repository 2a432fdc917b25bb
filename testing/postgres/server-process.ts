import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { User } from './unprivileged-user.ts';

/** The processes that a process has started. Outside Linux none: they notice that it is gone, and end. */
const childrenOf = (pid: number): readonly number[] => {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
};

/** Kills a process and all that it started at one moment. */
export const killAll = (pid: number): void => {
  // A stopped process starts no more children, and keeps the ids of those that have ended.
  process.kill(pid, 'SIGSTOP');
  for (const started of childrenOf(pid)) process.kill(started, 'SIGKILL');
  process.kill(pid, 'SIGKILL');
};

/** A server in a process of its own. */
export type ServerProcess = {
  /** Sends a signal, and returns when the process and all that it started have ended. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
  /** Ends the process and all that it started at one moment, as a power cut does. */
  readonly kill: () => Promise<void>;
  /** Returns when the process and all that it started have ended. */
  readonly waitForEnd: () => Promise<void>;
};

/** Starts a server, and returns when it has logged that it is ready. */
export const startProcess = async (
  command: readonly [program: string, ...args: readonly string[]],
  { ready, user }: { readonly ready: string; readonly user: User },
): Promise<ServerProcess> => {
  const [program, ...args] = command;
  const child = spawn(program, args, { ...user, env: { LC_ALL: 'C' }, stdio: ['ignore', 'ignore', 'pipe'] });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.once('close', () => process.off('exit', killAtExit));

  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`${program} did not start: ${log}`)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes(ready)) resolve();
    });
  });

  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} has no process id.`);
  // The pipe of the log closes when the last process that holds it has ended.
  const closed = once(child, 'close');
  const waitForEnd = async () => {
    await closed;
  };
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await waitForEnd();
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    killAll(pid);
    await waitForEnd();
  };
  return { end, kill, waitForEnd };
};
