import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandError, type exitCodes, reasonOf } from '../command/command-error.ts';

/** Whether SQLite could not open a file or its log. It does not say why. Its error for a missing folder has no code. */
export const isPathError = (cause: unknown): boolean =>
  cause instanceof TypeError ||
  /^SQLITE_(CANTOPEN|READONLY_DIRECTORY)$/.test((cause as NodeJS.ErrnoException).code ?? '');

/** The reason why a file cannot be opened at its path; null if it can. */
const pathReasonOf = (filename: string): string | null => {
  const folder = dirname(filename);
  try {
    if (statSync(filename).isDirectory()) return 'it is a folder';
    accessSync(filename, constants.R_OK);
    // SQLite creates the log beside a file even to read it.
    accessSync(folder, constants.W_OK);
    return null;
  } catch (cause) {
    const { path } = cause as NodeJS.ErrnoException;
    return path === folder ? `the folder ${folder} cannot be written` : reasonOf(cause);
  }
};

/** The error for an existing file that SQLite cannot open, with the reason. */
export const openError = (
  filename: string,
  cause: unknown,
  exitReason: keyof typeof exitCodes = 'data',
): CommandError => {
  const [message] = (cause as Error).message.split('\n');
  const reason = (isPathError(cause) ? pathReasonOf(filename) : null) ?? message;
  return new CommandError(`cannot open ${filename}: ${reason}`, exitReason);
};
