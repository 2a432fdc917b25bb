import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DriverName } from '../../src/driver.ts';
import type { Write } from './writes.ts';

/** When a process is killed: so many milliseconds after it said a word for so many times. */
export type KillMoment = {
  readonly event: 'opening' | 'answered' | 'checkpoint' | 'closing';
  readonly times: number;
  readonly delay: number;
};

/** The output of a process before it was killed. */
export type ProcessLog = {
  readonly writes: readonly Write[];
  readonly results: readonly (readonly [at: number, answer: unknown])[];
  /** The last thing that it printed before it was killed. */
  readonly lastEvent: string;
};

type LogLine = readonly [word: string, ...said: readonly unknown[]];

const writer = fileURLToPath(new URL('./writer.ts', import.meta.url));

/** Lets a process write to a file until its end; its writes have the times from `first` on. */
export const runUntilKilled = async (
  filename: string,
  { driver, first, end }: { readonly driver: DriverName; readonly first: number; readonly end: KillMoment },
): Promise<ProcessLog> => {
  const child = spawn(process.execPath, [writer, filename, `${first}`, driver]);
  let out = '';
  let err = '';
  let awaited = end.times;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    awaited -= text.split(`["${end.event}"`).length - 1;
    if (awaited <= 0) setTimeout(() => child.kill('SIGKILL'), end.delay);
  });
  const [, signal] = await once(child, 'close');
  if (signal !== 'SIGKILL') throw new Error(`The process ended by itself: ${err}`);

  // The text after the last line break is incomplete.
  const lines = out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogLine);
  const saying = (word: string) => lines.filter(([said]) => said === word);
  return {
    writes: saying('asked').map(([, write]) => write as Write),
    results: saying('answered').map(([, at, answer]) => [at as number, answer]),
    lastEvent: lines.at(-1)?.[0] ?? 'starting',
  };
};
