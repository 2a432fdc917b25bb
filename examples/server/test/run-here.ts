import { vi } from 'vitest';
import { endWithErrors } from '../command/command-error.ts';
import { parseFlags } from '../command/flags.ts';
import { run } from '../command/run.ts';

/**
 * Does what the server does with these arguments, until it ends, and returns what it printed and its exit code. It runs in
 * this process, because a new one takes longer to start than most commands take.
 */
export const runHere = async (...args: readonly string[]) => {
  const printed = { out: '', err: '' };
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => {
    printed.out += `${text}\n`;
  });
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.err += text;
    return true;
  });
  const exitCode = process.exitCode;
  process.exitCode = 0;
  try {
    await endWithErrors(() => run(parseFlags(args), new AbortController().signal));
    return { code: process.exitCode, ...printed };
  } finally {
    process.exitCode = exitCode;
    log.mockRestore();
    write.mockRestore();
  }
};
