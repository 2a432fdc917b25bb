import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** The exit codes of the process. Source: docs/operating.md, "Exit codes". */
export const exitCodes = {
  /** The work was stopped, or failed in another way. Node ends with the same code after a bug. */
  failure: 1,
  /** A flag, or a file that it names, is wrong. */
  usage: 2,
  /** The data cannot be read or written, or is not sound. */
  data: 3,
  /** The server cannot listen. */
  port: 4,
  /** An import is complete, and has issues. */
  issues: 5,
} as const;

/** A failure of the command, in one line for the user. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, reason: keyof typeof exitCodes = 'usage') {
    super(message);
    this.exitCode = exitCodes[reason];
  }
}

/** Does the work of the process. A `CommandError` becomes a line of its own and the exit code. */
export const endWithErrors = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    process.stderr.write(`clinical-records: ${cause.message}\n`);
    process.exitCode = cause.exitCode;
  }
};

/** The error of an operating system for a file or folder, in words. */
export const reasonOf = (cause: unknown, path = (cause as NodeJS.ErrnoException).path ?? ''): string => {
  const { code, message } = cause as NodeJS.ErrnoException;
  const folder = dirname(path);
  switch (code) {
    case 'ENOENT':
      return existsSync(folder) ? 'there is no such file or folder' : `the folder ${folder} does not exist`;
    case 'EACCES':
      return 'permission is denied';
    case 'EEXIST':
      return 'there is a file of that name';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENOTDIR':
      return `${folder} is not a folder`;
    default:
      return message;
  }
};

/** The error for a file or folder that cannot be read, with the reason. */
export const unreadableError = (what: string, cause: unknown): CommandError =>
  new CommandError(`cannot read ${what}: ${reasonOf(cause)}`);

/** The error for a file that cannot be created, with the reason. */
export const uncreatableError = (filename: string, cause: unknown): CommandError =>
  new CommandError(
    `cannot create ${filename}: ${reasonOf(cause, filename)}`,
    /^(ENOSPC|EDQUOT|EIO)$/.test((cause as NodeJS.ErrnoException).code ?? '') ? 'data' : 'usage',
  );

/** Throws a `CommandError` if no file can be created in the folder of a new one. */
export const requireCreatable = (filename: string): void => {
  try {
    // Of a path with a slash at its end, only a folder is found.
    accessSync(`${dirname(filename)}/`, constants.W_OK);
  } catch (cause) {
    throw uncreatableError(filename, cause);
  }
};
